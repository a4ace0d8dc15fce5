"use strict";
// What moves on the page: plots, tables that can be sorted and searched, boards that can be stepped through.
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const dataOf = (element) => JSON.parse(element.textContent);

  // ---- plots: drawn one after the other, as SVG whose colours the style sheet knows. No expression of a plot is ever
  // evaluated as a script (`ast`), because the policy of the page forbids that.
  const PAPER = 640; // pixels: as wide as a sheet of A4 between its margins
  const drawn = [];

  async function drawPlots() {
    for (const place of all("[data-plot]")) {
      const spec = dataOf(document.getElementById(place.dataset.plot));
      const { view } = await vegaEmbed(place, spec, { actions: false, renderer: "svg", ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true } });
      if (typeof spec.width !== "number") drawn.push([view, place]);
      for (const svg of all("svg", place)) svg.setAttribute("aria-hidden", "true"); // the place around it says what it shows
    }
    document.documentElement.dataset.drawn = "yes";
  }

  // On paper a plot is as wide as the sheet: one that was only made smaller could not be read.
  window.addEventListener("beforeprint", () => drawn.forEach(([view]) => view.signal("width", PAPER).run()));
  window.addEventListener("afterprint", () => drawn.forEach(([view, place]) => view.signal("width", place.clientWidth).run()));

  // ---- tables
  const valueOf = (row, index) => row.cells[index].dataset.v ?? row.cells[index].textContent;

  function sort(table, index) {
    const heading = table.tHead.rows[0].cells[index];
    const numeric = heading.classList.contains("n");
    const up = heading.hasAttribute("aria-sort") ? heading.getAttribute("aria-sort") === "descending" : !numeric;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [valueOf(row, index), row]);
    rows.sort(([a], [b]) => {
      if (a === "" || b === "") return (a === "") - (b === ""); // what is not known comes last, either way
      const order = numeric ? a - b : a.localeCompare(b, "en", { numeric: true });
      return up ? order : -order;
    });
    body.append(...rows.map(([, row]) => row));
  }

  // Accents do not count: one finds Najer and Müller without the keyboard for them.
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  function search(box, words) {
    const rows = Array.from(box.querySelector("tbody").rows);
    const wanted = folded(words).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = folded(row.textContent);
      row.hidden = !wanted.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    box.querySelector(".find output").textContent = wanted.length ? `${shown} of ${rows.length}` : "";
  }

  for (const box of all(".table")) {
    const table = box.querySelector("table");
    all("thead button", table).forEach((button, index) => button.addEventListener("click", () => sort(table, index)));
    const button = box.querySelector(":scope > .columns");
    if (button) {
      const words = button.textContent;
      button.addEventListener("click", () => {
        const shown = box.classList.toggle("all");
        button.setAttribute("aria-pressed", String(shown));
        button.textContent = shown ? "Show fewer columns" : words;
      });
    }
    const field = box.querySelector("input[type=search]");
    if (field) field.addEventListener("input", () => search(box, field.value));
  }

  // ---- what is wider than its place says so: by a faded edge, and by a word above tables
  function tellMore(place) {
    const left = place.scrollLeft > 2;
    const right = place.scrollLeft + place.clientWidth < place.scrollWidth - 2;
    place.classList.toggle("more-left", left);
    place.classList.toggle("more-right", right);
    const hint = place.previousElementSibling;
    if (hint && hint.classList.contains("hint")) hint.hidden = !left && !right;
  }
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => tellMore(target.closest(".scroll, nav ul"))));
  for (const place of all(".scroll, nav ul")) {
    place.addEventListener("scroll", () => tellMore(place), { passive: true });
    sizes.observe(place);
    if (place.firstElementChild) sizes.observe(place.firstElementChild);
  }

  // ---- boards
  const MEN = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  const SVG = "http://www.w3.org/2000/svg";

  function show(game, index) {
    const { steps, bad, noted } = game.data;
    game.at = Math.max(0, Math.min(index, steps.length - 1));
    const [men, squares, text] = steps[game.at];
    const drawn = document.createDocumentFragment();
    men.split("/").forEach((rank, row) => {
      let file = 0;
      for (const sign of rank) {
        if (sign >= "0" && sign <= "9") { file += Number(sign); continue; }
        const role = MEN[sign.toLowerCase()];
        if (!role) continue; // the mark of a promoted man
        const use = document.createElementNS(SVG, "use");
        use.setAttribute("href", `#${sign === sign.toLowerCase() ? "black" : "white"}-${role}`);
        use.setAttribute("transform", `translate(${15 + 45 * file}, ${15 + 45 * row})`);
        drawn.append(use);
        file += 1;
      }
    });
    for (const old of all("use, .arrow, rect[width='45']:not([class])", game.svg)) old.remove(); // men, and marks without scripts
    game.svg.append(drawn);
    for (const square of all(".square", game.svg)) {
      const name = square.classList[2];
      const isBad = (bad[game.at] ?? []).includes(name);
      square.classList.toggle("bad", isBad);
      square.classList.toggle("noted", !isBad && (noted[game.at] ?? []).includes(name));
      square.classList.toggle("lastmove", squares.includes(name));
    }
    game.output.textContent = text;
    for (const button of all("[data-go]", game.element)) {
      const go = button.dataset.go;
      button.disabled = go === "on" ? game.at === steps.length - 1 : go === "bad" ? false : game.at === 0;
    }
  }

  for (const element of all(".game")) {
    const game = {
      element,
      data: dataOf(element.querySelector("script")),
      svg: element.querySelector(".board svg"),
      output: element.querySelector(".steps output"),
      at: 0,
    };
    const targets = { first: () => 0, back: () => game.at - 1, on: () => game.at + 1, bad: () => game.data.start };
    for (const button of all("[data-go]", element)) button.addEventListener("click", () => show(game, targets[button.dataset.go]()));
    for (const button of all("[data-step]", element)) button.addEventListener("click", () => show(game, Number(button.dataset.step)));
    element.addEventListener("keydown", (event) => {
      const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first" };
      const last = event.key === "End";
      if (event.altKey || event.ctrlKey || event.metaKey || !(last || event.key in keys)) return;
      event.preventDefault();
      show(game, last ? game.data.steps.length - 1 : targets[keys[event.key]]());
    });
    show(game, game.data.start);
  }

  // ---- a link to a rule opens what it leads to
  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", openTarget);
  openTarget();

  if (typeof vegaEmbed === "function") drawPlots();
  else document.documentElement.dataset.drawn = "yes";
})();

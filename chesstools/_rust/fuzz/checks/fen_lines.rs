//! Lines of positions: read fast or step by step, alone or in a column, they say the same; the normal form is that of the position,
//! and normal itself.

use _core::board::Board;
use _core::fen::{read_line, Setup};
use _core::fen_rows::{check_rows, key_rows, moves_rows, new_rows, normalise_rows, understood};
use _core::normal_form::{normalise, push_sameness, EnPassant, Form};
use _core::perft::perft;
use _core::san::{self, Resolved};
use _core::seen::Seen;
use _core::types::MoveList;
use arrow_array::{Array, StringArray};

pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<&str> = text.split('\n').collect();
    for chess960 in [false, true] {
        lines.iter().for_each(|line| check_line(line, chess960));
        check_columns(&lines, chess960);
    }
}

fn check_line(line: &str, chess960: bool) {
    let (setup, parts) = read_line(line, chess960);
    assert!(line.trim_end().ends_with(parts.rest.trim_end()), "{line:?}");
    // A blank at the end means nothing, but such a line is not read in one go.
    let slow = format!("{line} ");
    let (other, _) = read_line(&slow, chess960);
    let shown = |setup: &Setup| {
        let fresh = |board: &Option<Board>| {
            let mut board = board.clone()?;
            board.refresh_hash();
            Some(board)
        };
        (
            setup.is_read,
            fresh(&setup.board),
            fresh(&setup.only_shown),
            setup.problems.iter().map(|one| (one.code, one.token.clone())).collect::<Vec<_>>(),
        )
    };
    assert_eq!(shown(&setup), shown(&other), "{line:?}");
    let Some(board) = understood(line, chess960) else {
        assert_eq!(normalise(line, FORMS[0], chess960), None, "{line:?}");
        return;
    };
    let mut sameness = String::new();
    push_sameness(&board, &mut sameness);
    for form in FORMS {
        let about = || format!("{line:?} as {form:?}");
        let (normal, changes) = normalise(line, form, chess960).unwrap_or_else(|| panic!("{}", about()));
        assert_eq!(changes == 0, normal == line, "{}", about());
        assert_eq!(normalise(&normal, form, chess960), Some((normal.clone(), 0)), "{}", about());
        let again = understood(&normal, chess960).unwrap_or_else(|| panic!("{} became {normal:?}", about()));
        let mut same = String::new();
        push_sameness(&again, &mut same);
        assert!(same == sameness || form.en_passant == EnPassant::Never, "{} became {normal:?}", about());
        let counters = if form.reset_counters { (0, 1) } else { (board.halfmove, board.fullmove.max(1)) };
        // Operations stay as they stand, even such as hold the counters.
        let as_wanted = (again.halfmove, again.fullmove) == counters || !parts.rest.is_empty();
        assert!(as_wanted, "{} became {normal:?}", about());
    }
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    assert_eq!(moves.len() as u64, perft(&board, 1), "{line:?}");
    for &mv in &moves {
        let san = san::san(&board, mv);
        let found = san::read(san.as_bytes()).map(|written| san::resolve(&board, &written));
        assert!(matches!(found, Some(Resolved::Move(other)) if other == mv), "{san} in {line:?}");
    }
}

const FORMS: [Form; 5] = [
    Form { en_passant: EnPassant::Standard, shredder: false, reset_counters: false },
    Form { en_passant: EnPassant::Legal, shredder: false, reset_counters: false },
    Form { en_passant: EnPassant::Legal, shredder: true, reset_counters: false },
    Form { en_passant: EnPassant::Standard, shredder: false, reset_counters: true },
    Form { en_passant: EnPassant::Never, shredder: true, reset_counters: true },
];

/// A row is what its line gives alone, and null where that is not understood; what is new is what no line before was.
fn check_columns(lines: &[&str], chess960: bool) {
    let column = StringArray::from_iter_values(lines);
    let boards: Vec<_> = lines.iter().map(|line| understood(line, chess960)).collect();
    let (checked, _) = check_rows(&column, chess960).expect("a table");
    let normal = normalise_rows(&column, FORMS[0], chess960).expect("a table");
    let moves = moves_rows(&column, chess960).expect("a table");
    let keys = key_rows(&column, chess960).expect("a table");
    let new = new_rows(&column, &mut Seen::default(), false, chess960).expect("a table");
    for table in [&checked, &normal, &moves, &keys, &new] {
        assert_eq!(table.num_rows(), lines.len());
    }
    let texts = |array: &dyn Array| array.as_any().downcast_ref::<StringArray>().expect("texts").clone();
    let (fens, positions) = (texts(normal.column(0)), texts(keys.column(1)));
    let is_new: Vec<Option<bool>> =
        new.column(0).as_any().downcast_ref::<arrow_array::BooleanArray>().expect("flags").iter().collect();
    let mut before: Vec<String> = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let known = boards[row].is_some();
        let nulls = [normal.column(0), moves.column(0), moves.column(1), keys.column(0), keys.column(1)];
        nulls.iter().for_each(|column| assert_eq!(column.is_valid(row), known, "{line:?}"));
        let mut same = format!("={}", line.trim_matches(|sign: char| " \t\r\n\x0b\x0c".contains(sign)));
        if let Some(board) = &boards[row] {
            same.clear();
            push_sameness(board, &mut same);
            assert_eq!(positions.value(row), same);
            assert_eq!(Some(fens.value(row).to_owned()), normalise(line, FORMS[0], chess960).map(|(normal, _)| normal));
        }
        if known {
            assert_eq!(is_new[row], Some(!before.contains(&same)), "{line:?}");
        }
        before.push(same);
    }
}

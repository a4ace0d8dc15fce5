//! Texts and the tokens that they consist of, and what holds for any text.

use _core::lexer::{tokens, Kind};
use _core::limits::Limits;

/// Kind and text of all tokens but white space, as `kind:text`.
fn described(text: &str) -> String {
    let found = tokens(text.as_bytes(), Limits::STATED).into_iter().filter(|token| token.kind != Kind::Space);
    let words = found.map(|token| format!("{:?}:{}", token.kind, &text[token.start as usize..token.end as usize]));
    words.collect::<Vec<_>>().join(" | ")
}

#[test]
fn words() {
    for (text, wanted) in [
        ("1.e4! *", "Number:1. | Move:e4 | Suffix:! | Result:*"),
        ("12...Nbxd7+?!", "Number:12... | Move:Nbxd7+ | Suffix:?!"),
        ("1e4 e8=Q# e8Q e8(Q)", "Move:1e4 | Move:e8=Q# | Move:e8Q | Move:e8(Q)"),
        ("exd6e.p. exd6 e.p. ep", "Move:exd6e.p. | Move:exd6 | EnPassant:e.p. | EnPassant:ep"),
        ("O-O-O+ 0-0 oo N@f3 ♘f3", "Move:O-O-O+ | Move:0-0 | Move:oo | Move:N@f3 | Move:♘f3"),
        ("e4+- e4½-½ e41-0", "Move:e4 | Symbol:+- | Move:e4 | Result:½-½ | Move:e4 | Result:1-0"),
        ("-- Z0 0000 @@@@", "Null:-- | Null:Z0 | Null:0000 | Null:@@@@"),
        ("1-0 1–0 0:1 1/2 0.5-0.5 -/-", "Result:1-0 | Result:1–0 | Result:0:1 | Result:1/2 | Result:0.5-0.5 | Result:-/-"),
        ("12e4 7 1234 1… …", "Number:12 | Move:e4 | Number:7 | Word:1234 | Number:1… | Dots:…"),
        ("$1 $1234 $ (=) ( )", "Nag:$1 | BadNag:$1234 | BadNag:$ | Offer:(=) | Open:( | Close:)"),
        ("novelty 50% a} <b>", "Word:novelty | Word:50% | Word:a | Symbol:} | Symbol:< | Word:b | Symbol:>"),
        ("\u{feff}e4\u{a0}e5\0", "Bom:\u{feff} | Move:e4 | Invisible:\u{a0} | Move:e5 | Nul:\0"),
    ] {
        assert_eq!(described(text), wanted, "{text}");
    }
}

#[test]
fn comments_and_tags() {
    for (text, wanted) in [
        ("{a} ;b\n% c\n%", "Comment:{a} | LineComment:;b | Escape:% c | Escape:%"),
        ("{a {b} c} d", "NestedComment:{a {b} c} | Word:d"),
        ("{a {b} *", "InnerBraceComment:{a {b} | Result:*"),
        ("{a\n\n1-0\n", "OpenComment:{a | Result:1-0"),
        ("{a 1-0\n\n[A \"b\"]\n[C \"d\"]", "OpenComment:{a | Result:1-0 | Tag:[A \"b\"] | Tag:[C \"d\"]"),
        ("{a\n[A \"b\"]\n[C \"d\"]}", "Comment:{a\n[A \"b\"]\n[C \"d\"]}"),
        ("[A \"\\\"\"] [ B \"\" ]", "Tag:[A \"\\\"\"] | Tag:[ B \"\" ]"),
        ("[A \"b \"c\" d\"]\n[A b]\n[A \"b", "BadTag:[A \"b \"c\" d\"] | BadTag:[A b] | BadTag:[A \"b"),
        ("[A \"b\nc\"]\n*", "BadTag:[A \"b\nc\"] | Result:*"),
        ("e4 [%x]", "Move:e4 | Symbol:[ | Word:%x | Symbol:]"),
    ] {
        assert_eq!(described(text), wanted, "{text}");
    }
}

#[test]
fn every_byte_belongs_to_one_token() {
    let mut state = 1_u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for _ in 0..20_000 {
        let alphabet: &[u8] = b"{}()[]\";%$ \r\n\0abcdefgh12345678xKQRBNO0-=+#!?.*/\xA0\xC2\xE2\x80\xA6\xBD";
        let text: Vec<u8> = (0..next(40)).map(|_| alphabet[next(alphabet.len())]).collect();
        let mut end = 0;
        for token in tokens(&text, Limits::STATED) {
            assert!(token.start == end && token.end > end, "{}", text.escape_ascii());
            end = token.end;
        }
        assert_eq!(end as usize, text.len());
    }
}

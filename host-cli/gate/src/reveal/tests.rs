use super::*;

fn shown(line: &str) -> String {
    reveal(line).into_owned()
}

fn misleads(line: &str) -> Vec<Misleads> {
    parts(line).into_iter().filter_map(|part| part.misleads).collect()
}

#[test]
fn attack_15_what_shows_nothing_is_named_wherever_it_stands() {
    for code in [
        0xad, 0x61c, 0x200b, 0x202e, 0x2066, 0x2028, 0x2800, 0x3164, 0xfeff, 0xe0041, 0x378, 0xe000, 0xf8ff, 0xfdd0,
        0xfffc, 0xffff, 0x1ffff, 0xf0000, 0x2065,
    ] {
        let char = char::from_u32(code).unwrap();
        let line = format!("let a{char} = 1;");
        assert_eq!(shown(&line), format!("let a<U+{code:04X}> = 1;"));
        assert_eq!(misleads(&line), [Misleads::Hidden], "{code:x}");
    }
}

#[test]
fn attack_15_blanks_that_are_no_spaces_are_named() {
    for code in [0xa0, 0x1680, 0x2000, 0x2003, 0x202f, 0x205f, 0x3000] {
        let char = char::from_u32(code).unwrap();
        let line = format!("rm{char}-rf /");
        assert_eq!(shown(&line), format!("rm<U+{code:04X}>-rf /"));
        assert_eq!(misleads(&line), [Misleads::Hidden], "{code:x}");
    }
}

#[test]
fn attack_15_marks_on_nothing_are_named() {
    for mark in ['\u{16fe4}', '\u{1107f}', '\u{110b1}', '\u{2d7f}', '\u{93c}'] {
        assert_eq!(shown(&format!("admin{mark} = 1")), format!("admin{} = 1", stand_in(mark)));
        assert_eq!(misleads(&format!("admin{mark}")), [Misleads::Hidden], "{mark:?}");
    }
    for line in [
        "+\u{301}",
        "a \u{301}b",
        "(\u{338})",
        "\u{1107f}",
        "admi\u{307}n",
        "e\u{335}",
        "a\u{301}\u{301}\u{301}\u{301}",
    ] {
        assert_eq!(misleads(line).len(), 1, "{line:?}");
    }
}

#[test]
fn attack_15_joiners_and_styles_next_to_ascii_are_named() {
    for line in ["ad\u{200d}min", "a\u{fe0e}", "if\u{fe0f}(x)", "a\u{200c}b", "1\u{fe0f}"] {
        assert_eq!(misleads(line).len(), 1, "{line:?}");
        assert!(shown(line).contains("<U+"), "{line:?}");
    }
}

#[test]
fn what_people_write_on_purpose_is_no_warning() {
    for line in [
        "\u{26a0}\u{fe0f} careful \u{1f468}\u{200d}\u{1f4bb} 1\u{fe0f}\u{20e3} \u{2714}\u{fe0e}",
        "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
        "\u{915}\u{94d}\u{200d}\u{937} \u{928}\u{93f}",
        "Attention\u{a0}: 12\u{202f}000\u{a0}\u{20ac}, \u{ab}\u{a0}oui\u{a0}\u{bb}",
        "\u{65e5}\u{672c}\u{3000}\u{8a9e}",
        "\u{3000}\u{65e5}\u{672c}",
        "cafe\u{301} n\u{303} \u{5e9}\u{5c1} \u{e01}\u{e34}",
        "\u{645}\u{64f}\u{62d}\u{645}\u{651}\u{62f}",
    ] {
        assert_eq!(misleads(line), [], "{line:?} {}", shown(line));
    }
}

#[test]
fn attack_18_letters_that_look_like_others_are_named_in_identifiers() {
    for (line, expected) in [
        ("if is_\u{430}dmin(user) {", "if is_<U+0430>dmin(user) {"),
        ("let s\u{441}\u{43e}pe = 1;", "let s<U+0441><U+043E>pe = 1;"),
        ("import \u{440}\u{430}\u{443}\u{440}\u{430}l", "import <U+0440><U+0430><U+0443><U+0440><U+0430>l"),
        ("a = \"\\n\u{430}dmin\"", "a = \"\\n<U+0430>dmin\""),
        ("\u{441}\u{43e}\u{440}\u{443}(a, b)", "<U+0441><U+043E><U+0440><U+0443>(a, b)"),
        ("if (\u{430} == b)", "if (<U+0430> == b)"),
        ("const is_\u{430} = true", "const is_<U+0430> = true"),
        ("\u{3bf}s.system()", "<U+03BF>s.system()"),
        ("T\u{39f}KEN", "T<U+039F>KEN"),
        ("is(\"T\u{39f}KEN\")", "is(\"T<U+039F>KEN\")"),
        ("\u{13a2}f", "<U+13A2>f"),
        (
            "if(\u{441}\u{43e}\u{440}\u{443}==1)y() // \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}",
            "if(<U+0441><U+043E><U+0440><U+0443>==1)y() // \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}",
        ),
        ("t\u{e50}ken = to\u{d66}n", "t<U+0E50>ken = to<U+0D66>n"),
        ("\u{217c}en(\u{261}o)", "<U+217C>en(<U+0261>o)"),
        ("if n > \u{39c}\u{391}\u{3a7} {", "if n > <U+039C><U+0391><U+03A7> {"),
        ("\u{1d5ba}dmin", "<U+1D5BA>dmin"),
    ] {
        assert_eq!(shown(line), expected);
        assert!(misleads(line).iter().all(|why| *why == Misleads::Alike) && !misleads(line).is_empty(), "{expected}");
    }
}

#[test]
fn attack_18_signs_that_look_like_others_are_named() {
    for sign in [
        '\u{1c0}', '\u{1c1}', '\u{1438}', '\u{1433}', '\u{4e28}', '\u{37e}', '\u{ff1b}', '\u{1c3}', '\u{a789}',
        '\u{2236}', '\u{2024}', '\u{ff08}', '\u{2215}', '\u{589}',
    ] {
        let line = format!("run(a){sign} b");
        assert_eq!(shown(&line), format!("run(a){} b", stand_in(sign)));
        assert_eq!(misleads(&line), [Misleads::Alike], "{line}");
    }
}

#[test]
fn texts_of_other_scripts_stay_quiet() {
    for line in [
        "\u{43e} \u{43f}\u{440}\u{43e}\u{435}\u{43a}\u{442}\u{435} gitgate \u{438} \u{430}",
        "PDF\u{43a}\u{438} \u{438} git-\u{440}\u{435}\u{43f}\u{43e}\u{437}\u{438}\u{442}\u{43e}\u{440}\u{438}\u{439}",
        "\u{4f7f}\u{7528} git\u{ff1b}\u{7136}\u{540e} make\u{ff08}x\u{ff09}\u{ff1a}1\u{2236}2",
        "\u{3c4}\u{3b9} \u{3ba}\u{3ac}\u{3bd}\u{3b5}\u{3b9}\u{3c2}\u{37e}",
        "let \u{3b1}x = \u{3c1}0 + \u{3bd};",
        "\u{532}\u{561}\u{580}\u{587}\u{589}",
        "\u{201c}quoted\u{201d} \u{2013} it\u{2019}s 3\u{2212}1 \u{2026} \u{2192} a\u{2217}b \u{276f} ls",
        "stra\u{df}e \u{131}\u{15f}\u{131}k \u{f8}re \u{142}\u{f3}d\u{17a}",
        "\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35} \u{5e9}\u{5dc}\u{5d5}\u{5dd}\u{5c3}",
        "H_\u{3bd}(x) = e\u{2e3} s\u{2092} \u{1d4b3} \u{1d4b4}",
        "\"all\": \"\u{412}\u{441}\u{435}\", <b>\u{41e}</b> \\n\u{412}",
        "\u{412} `code` \u{438} \u{430} [x](y) (\u{43d}\u{43e}) # \u{443} API",
        "/\u{2c8}\u{26a}\u{14b}\u{261}l\u{26a}\u{283}/ \u{c5}ngstr\u{f6}m \u{ff11}\u{ff12}x",
        "\u{5d9}\u{5e9} \u{5d9}",
        "\u{b5}s \u{394}x \u{2126}",
    ] {
        assert_eq!(misleads(line), [], "{line} {}", shown(line));
    }
}

#[test]
fn attack_18_a_long_run_of_blanks_is_counted() {
    let far = format!("+let a = 1;{}evil();", " ".repeat(1600));
    assert_eq!(shown(&far), "+let a = 1;<1600 spaces>evil();");
    assert_eq!(misleads(&far), [Misleads::Blanks(1600)]);
    assert_eq!(shown(&format!("+{}code\tx", "\t".repeat(14))), format!("+{}code\tx", "\t".repeat(14)), "set in");
    assert_eq!(misleads(&format!("+a;{}evil()", "\t".repeat(14))), [Misleads::Blanks(14)]);
    let tabs = format!("a{}b{}c", "\t".repeat(101), " \t".repeat(60));
    assert_eq!(shown(&tabs), "a<101 tabs>b<120 blanks>c");
    for end in ["", "\r"] {
        let harmless = format!("a{}{end}", " ".repeat(200));
        assert_eq!((shown(&harmless), misleads(&harmless)), (format!("a<200 spaces>{end}"), vec![]));
    }
    let padded = format!("a{}b", " ".repeat(BLANKS));
    assert!(matches!(reveal(&padded), Cow::Borrowed(same) if same == padded));
}

#[test]
fn attack_21_parts_never_overlap_whatever_a_line_holds() {
    let holds = |line: &str| {
        let parts = parts(line);
        let ends = parts.iter().map(|part| (part.at.start, part.at.end)).collect::<Vec<_>>();
        assert!(
            ends.iter().all(|(start, end)| start < end) && ends.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "{line:?} {ends:?}"
        );
        for part in &parts {
            word(line, &parts, part);
        }
        reveal(line);
    };
    // Beyond this, no character has a look of its own.
    for char in ('\u{80}'..='\u{1ffff}').step_by(7) {
        holds(&format!("{char} a{char}b + {char}{char}1 \u{430}{char}\u{4e2d}"));
    }
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..100 {
        let line: String = (0..40).map(|_| random.char(..)).filter(|char| *char != '\n').collect();
        holds(&line);
        holds(&format!("{line}{}{line}", " ".repeat(101)));
    }
}

#[test]
fn attack_21_a_line_is_looked_at_a_few_times_however_much_misleads_in_it() {
    // Scanning the line again for each word or sign would take some 10^10 steps.
    for unit in
        ["\u{430} ", "a\u{430}.", "\u{ff1b}a", "\u{3000}", "\u{301}", "\u{200c}\u{200d}", "\u{3bf}_", "\\n\u{430} "]
    {
        let line = unit.repeat(100_000);
        assert!(parts(&line).len() <= 300_000, "{unit:?}");
    }
}

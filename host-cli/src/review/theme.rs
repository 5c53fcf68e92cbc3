//! Colours on a light and on a dark ground, with as many as a terminal has.

use gate::review::Severity;
use ratatui::style::{Color, Modifier, Style};

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// No colours.
    None,
    /// The sixteen that a person has chosen, on a ground of theirs.
    Sixteen,
    /// 256 colours on a dark ground.
    Dark,
    /// 256 colours on a light ground.
    Light,
}

/// What a piece of code is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Class {
    /// Nothing of its own.
    #[default]
    Plain,
    Comment,
    String,
    Constant,
    Keyword,
    Type,
    Function,
}

/// The styles of a screen.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    ground: Ground,
}

impl Theme {
    pub fn new(ground: Ground) -> Self {
        Theme { ground }
    }

    /// Whether code has colours of its own: with sixteen they would be those of added and removed lines.
    pub fn has_syntax(self) -> bool {
        matches!(self.ground, Ground::Dark | Ground::Light)
    }

    fn pick(self, sixteen: Style, dark: Style, light: Style) -> Style {
        match self.ground {
            Ground::None => Style::new(),
            Ground::Sixteen => sixteen,
            Ground::Dark => dark,
            Ground::Light => light,
        }
    }

    /// A line that is added, removed, or neither.
    pub fn line(self, sign: char) -> Style {
        let back = |index| Style::new().bg(Color::Indexed(index));
        match sign {
            '+' => self.pick(Style::new().fg(Color::Green), back(22), back(194)),
            '-' => self.pick(Style::new().fg(Color::Red), back(52), back(224)),
            _ => Style::new(),
        }
    }

    /// The sign before such a line.
    pub fn sign(self, sign: char) -> Style {
        let fore = |index| self.line(sign).fg(Color::Indexed(index));
        match sign {
            '+' => self.pick(self.line(sign), fore(114), fore(22)),
            '-' => self.pick(self.line(sign), fore(210), fore(88)),
            _ => self.line(sign),
        }
    }

    /// A word in such a line that differs from the line that it replaces.
    pub fn word(self, sign: char) -> Style {
        let back = |index| Style::new().bg(Color::Indexed(index));
        match sign {
            '+' => self.pick(self.line('+').add_modifier(Modifier::REVERSED), back(28), back(157)),
            '-' => self.pick(self.line('-').add_modifier(Modifier::REVERSED), back(88), back(217)),
            _ => Style::new(),
        }
    }

    /// Code.
    pub fn class(self, class: Class) -> Style {
        let [dark, light] = match class {
            Class::Plain => return Style::new(),
            Class::Comment => [245, 243],
            Class::String => [150, 22],
            Class::Constant => [216, 94],
            Class::Keyword => [147, 90],
            Class::Type => [116, 24],
            Class::Function => [222, 58],
        };
        let fore = |index| Style::new().fg(Color::Indexed(index));
        self.pick(Style::new(), fore(dark), fore(light))
    }

    /// What is less important than the rest: numbers of lines, what was seen.
    pub fn faint(self) -> Style {
        let fore = |index| Style::new().fg(Color::Indexed(index));
        self.pick(Style::new().add_modifier(Modifier::DIM), fore(244), fore(245))
    }

    /// The header of a hunk.
    pub fn position(self) -> Style {
        let fore = |index| Style::new().fg(Color::Indexed(index));
        self.pick(Style::new().fg(Color::Cyan), fore(110), fore(24))
    }

    /// The bars above and below.
    pub fn bar(self) -> Style {
        match self.ground {
            Ground::None | Ground::Sixteen => Style::new().add_modifier(Modifier::REVERSED),
            Ground::Dark => Style::new().bg(Color::Indexed(237)).fg(Color::Indexed(252)),
            Ground::Light => Style::new().bg(Color::Indexed(252)).fg(Color::Indexed(235)),
        }
    }

    /// The row where the person is.
    pub fn cursor(self) -> Style {
        match self.ground {
            Ground::None | Ground::Sixteen => Style::new().add_modifier(Modifier::BOLD),
            Ground::Dark => Style::new().bg(Color::Indexed(239)),
            Ground::Light => Style::new().bg(Color::Indexed(253)),
        }
    }

    /// Headings.
    pub fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// A key that can be pressed.
    pub fn key(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What a person says.
    pub fn comment(self) -> Style {
        let fore = |index| Style::new().fg(Color::Indexed(index));
        self.pick(Style::new().fg(Color::Magenta), fore(183), fore(91))
    }

    /// What is done.
    pub fn done(self) -> Style {
        let fore = |index| Style::new().fg(Color::Indexed(index));
        self.pick(Style::new().fg(Color::Green), fore(114), fore(28))
    }

    /// What is left out.
    pub fn out(self) -> Style {
        self.faint().add_modifier(Modifier::CROSSED_OUT)
    }

    /// A warning.
    pub fn warning(self, severity: Severity) -> Style {
        let fore = |index| Style::new().fg(Color::Indexed(index));
        match severity {
            Severity::High => self.pick(Style::new().fg(Color::Red), fore(210), fore(124)).add_modifier(Modifier::BOLD),
            Severity::Medium => self.pick(Style::new().fg(Color::Yellow), fore(222), fore(94)),
            Severity::Low => self.faint(),
        }
    }

    /// What a search has found.
    pub fn found(self) -> Style {
        match self.ground {
            Ground::None | Ground::Sixteen => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
            Ground::Dark => Style::new().bg(Color::Indexed(178)).fg(Color::Indexed(16)),
            Ground::Light => Style::new().bg(Color::Indexed(221)).fg(Color::Indexed(16)),
        }
    }
}

//! Builds a date as text. A log shows three dates for each commit, so this avoids format strings for speed.

/// A text under construction.
#[derive(Default)]
pub struct Line(String);

impl Line {
    /// Appends `text`.
    pub fn text(mut self, text: &str) -> Line {
        self.0.push_str(text);
        self
    }

    /// Appends `number`, padded with zeros to `width` characters; the sign counts as one.
    pub fn number(mut self, number: impl Into<i64>, width: usize) -> Line {
        let number = number.into();
        let width = if number < 0 {
            self.0.push('-');
            width.saturating_sub(1)
        } else {
            width
        };
        let mut digits = [b'0'; 20];
        let mut start = digits.len();
        let mut rest = number.unsigned_abs();
        while rest > 0 || start == digits.len() {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        let start = start.min(digits.len() - width.min(digits.len()));
        self.0.push_str(std::str::from_utf8(&digits[start..]).expect("digits are ASCII"));
        self
    }

    /// Appends the sign of `zone`.
    pub fn sign(self, zone: i32) -> Line {
        self.text(if zone < 0 { "-" } else { "+" })
    }

    /// Appends `zone` as git writes it, `+0100`.
    pub fn zone(self, zone: i32) -> Line {
        self.sign(zone).number(zone.unsigned_abs(), 4)
    }

    /// Returns the text.
    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_format_strings_write_them() {
        for number in [0, 7, 10, 99, 100, 2026, 12_345, i64::from(i32::MAX), -1, -7, -100, i64::MIN, i64::MAX] {
            let number_of = |width| Line::default().number(number, width).into_text();
            assert_eq!(
                [number_of(1), number_of(2), number_of(4)],
                [format!("{number}"), format!("{number:02}"), format!("{number:04}")]
            );
        }
        for zone in [0, 5, 100, -130, 12_345, -99_999, i32::MAX, i32::MIN] {
            assert_eq!(Line::default().zone(zone).into_text(), format!("{zone:+05}"));
        }
    }
}

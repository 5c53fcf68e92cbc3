//! The time zones that a date in UTC may have been written in.

/// Zones in minutes, most recently found first: the commits of one repository have few.
#[derive(Debug, Clone, Default)]
pub(in crate::github) struct Zones {
    found: Vec<i32>,
}

impl Zones {
    /// Those that were found before, then every quarter of an hour that is in use.
    pub fn all(&self) -> Vec<i32> {
        let mut all = self.found.clone();
        let others = (-12 * 4..=14 * 4).map(|quarters| quarters * 15);
        all.extend(others.filter(|zone| !self.found.contains(zone)));
        all
    }

    /// Puts the zones of a commit in front.
    pub fn found(&mut self, zones: [i32; 2]) {
        for zone in zones {
            self.found.retain(|other| *other != zone);
            self.found.insert(0, zone);
        }
    }
}

/// The zone as git writes it.
pub(super) fn written(zone: i32) -> String {
    let minutes = zone.unsigned_abs();
    format!("{}{:02}{:02}", if zone < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
}

//! What is chosen, and what the keys do. Knows no terminal.

use gate::id::SandboxId;

use super::seen::{Asked, Inside, Outside};
use crate::terminal::Key;

/// What the person wants that the screen does not do by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To go.
    Leave,
    /// To be asked about a call.
    Review(Asked),
    /// To reject a call, with a reason.
    Reject(Asked),
    /// To have the whole screen drawn anew.
    Redraw,
}

/// What is on the screen.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// What waits. `None` before anybody has looked.
    pub(super) outside: Option<Outside>,
    /// What goes on in the sandbox that is shown.
    pub(super) inside: Option<Inside>,
    /// Whether the keys are shown instead.
    pub(super) help: bool,
    /// The day, as `2026-11-20`.
    pub(super) today: String,
    /// The sandbox and the id of the call that is chosen.
    chosen: Option<(SandboxId, String)>,
    /// The sandbox that is shown below.
    shown: Option<SandboxId>,
}

impl State {
    /// The calls that wait.
    pub(super) fn asked(&self) -> &[Asked] {
        self.outside.as_ref().map_or(&[], |outside| &outside.asked)
    }

    /// The sandboxes.
    pub(super) fn names(&self) -> &[SandboxId] {
        self.outside.as_ref().map_or(&[], |outside| &outside.names)
    }

    /// The place of the call that is chosen, if any waits.
    pub(super) fn chosen(&self) -> Option<usize> {
        let (sandbox, id) = self.chosen.as_ref()?;
        self.asked().iter().position(|asked| asked.sandbox == *sandbox && asked.id == *id)
    }

    /// The sandbox that is shown below what waits.
    pub fn shown(&self) -> Option<&SandboxId> {
        self.shown.as_ref()
    }

    /// Whether it is known what goes on there.
    pub fn is_known(&self) -> bool {
        self.inside.is_some()
    }

    /// Takes note of what waits. True if something does that has not waited before.
    pub fn see(&mut self, outside: Outside) -> bool {
        let is_known =
            |asked: &Asked| self.asked().iter().any(|known| known.sandbox == asked.sandbox && known.id == asked.id);
        let is_news = self.outside.is_some() && !outside.asked.iter().all(is_known);
        // What is chosen stays so wherever it stands now; if it is gone, the one in its place is.
        let place = self.chosen().unwrap_or_default();
        self.outside = Some(outside);
        if self.chosen().is_none() {
            let place = place.min(self.asked().len().saturating_sub(1));
            let gone = self.chosen.take().map(|(sandbox, _)| sandbox);
            self.chosen = self.asked().get(place).map(|asked| (asked.sandbox.clone(), asked.id.clone()));
            // Below is the sandbox of the chosen call, and stays so.
            if let Some((sandbox, _)) = self.chosen.clone().filter(|_| gone.is_some() && gone == self.shown) {
                self.show(Some(sandbox));
            }
        }
        if self.shown.as_ref().is_none_or(|shown| !self.names().contains(shown)) {
            let here = self.outside.as_ref().map_or(&[][..], |outside| &outside.here);
            let chosen = self.chosen.as_ref().map(|(sandbox, _)| sandbox);
            let first = chosen.filter(|name| here.contains(name)).or(here.first()).or(chosen).or(self.names().first());
            self.show(first.cloned());
        }
        is_news
    }

    /// Takes note of what goes on in a sandbox, if it is still the one that is shown.
    pub fn look_into(&mut self, inside: Inside) {
        if self.shown.as_ref() == Some(&inside.name) {
            self.inside = Some(inside);
        }
    }

    /// Takes note of the day.
    pub fn date(&mut self, today: String) {
        self.today = today;
    }

    fn show(&mut self, name: Option<SandboxId>) {
        if self.shown != name {
            (self.shown, self.inside) = (name, None);
        }
    }

    /// Chooses the call at `place`, and shows its sandbox.
    fn choose(&mut self, place: usize) {
        let Some(asked) = self.asked().get(place) else { return };
        let (sandbox, id) = (asked.sandbox.clone(), asked.id.clone());
        self.chosen = Some((sandbox.clone(), id));
        self.show(Some(sandbox));
    }

    /// Does what a key says.
    pub(crate) fn press(&mut self, key: Key) -> Option<Wish> {
        let is_help = std::mem::take(&mut self.help);
        let chosen = self.chosen();
        let asked = chosen.map(|place| self.asked()[place].clone());
        match key {
            Key::Char('q') | Key::Ctrl('c' | 'd') => return Some(Wish::Leave),
            Key::Ctrl('l') => return Some(Wish::Redraw),
            // The first key only takes the help away: what it would do cannot be seen.
            _ if is_help => {}
            Key::Char('?') => self.help = true,
            Key::Char('j') | Key::Down => self.choose(chosen.map_or(0, |place| place + 1)),
            Key::Char('k') | Key::Up => self.choose(chosen.map_or(0, |place| place.saturating_sub(1))),
            Key::Enter | Key::Newline => return asked.map(Wish::Review),
            Key::Char('r') => return asked.map(Wish::Reject),
            // Tab.
            Key::Ctrl('i') => self.next(),
            _ => {}
        }
        None
    }

    /// Shows the next sandbox, and chooses the first call that waits there: what the keys answer is then on the screen as a whole.
    fn next(&mut self) {
        let names = self.names();
        let place = names.iter().position(|name| Some(name) == self.shown.as_ref()).map_or(0, |place| place + 1);
        let next = names.get(place).or(names.first()).cloned();
        let first = self.asked().iter().find(|asked| Some(&asked.sandbox) == next.as_ref());
        if let Some(first) = first {
            self.chosen = Some((first.sandbox.clone(), first.id.clone()));
        }
        self.show(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> SandboxId {
        name.parse().unwrap()
    }

    /// What waits: the sandbox and the id of each.
    fn outside(asked: &[(&str, &str)]) -> Outside {
        let asked = asked.iter().map(|(sandbox, id)| Asked {
            sandbox: name(sandbox),
            id: (*id).to_owned(),
            tool: "git_stage".to_owned(),
            what: String::new(),
            at: String::new(),
        });
        let names = ["a", "b", "default"].map(name).to_vec();
        Outside { names, here: ["default", "a", "b"].map(name).to_vec(), asked: asked.collect(), notes: Vec::new() }
    }

    fn of(asked: &[(&str, &str)]) -> State {
        let mut state = State::default();
        state.see(outside(asked));
        state
    }

    fn chosen(state: &State) -> Option<&str> {
        state.chosen().map(|place| state.asked()[place].id.as_str())
    }

    fn press(state: &mut State, keys: &str) {
        for char in keys.chars() {
            assert_eq!(state.press(if char == '\t' { Key::Ctrl('i') } else { Key::Char(char) }), None, "{char}");
        }
    }

    #[test]
    fn keys_choose_what_waits_and_stop_at_its_ends() {
        let mut state = of(&[("a", "1"), ("a", "2"), ("b", "3")]);
        for (keys, id) in [("", "1"), ("k", "1"), ("j", "2"), ("jj", "3"), ("k", "2")] {
            press(&mut state, keys);
            assert_eq!(chosen(&state), Some(id), "{keys}");
        }
        assert_eq!(state.press(Key::Down), None);
        assert_eq!(chosen(&state), Some("3"));
        let asked = state.asked()[2].clone();
        assert_eq!(state.press(Key::Enter), Some(Wish::Review(asked.clone())));
        assert_eq!(state.press(Key::Char('r')), Some(Wish::Reject(asked)));
        assert_eq!(state.press(Key::Char('q')), Some(Wish::Leave));
        assert_eq!(state.press(Key::Ctrl('c')), Some(Wish::Leave));
    }

    #[test]
    fn where_nothing_waits_there_is_nothing_to_answer() {
        let mut state = of(&[]);
        for key in [Key::Enter, Key::Char('r'), Key::Char('j'), Key::Char('k')] {
            assert_eq!(state.press(key), None);
        }
    }

    #[test]
    fn what_is_chosen_stays_so_while_others_come_and_go() {
        let mut state = of(&[("a", "1"), ("a", "2"), ("b", "3")]);
        press(&mut state, "j");
        assert!(!state.see(outside(&[("a", "2"), ("b", "3")])));
        assert_eq!(chosen(&state), Some("2"));
        assert!(state.see(outside(&[("a", "0"), ("a", "2"), ("b", "3")])));
        assert_eq!(chosen(&state), Some("2"));
        state.see(outside(&[("a", "0"), ("b", "3")]));
        assert_eq!(chosen(&state), Some("3"), "the one in its place");
        assert_eq!(state.shown(), Some(&name("b")), "and its sandbox");
        state.see(outside(&[]));
        assert_eq!(chosen(&state), None);
        state.see(outside(&[("b", "4")]));
        assert_eq!(chosen(&state), Some("4"));
    }

    #[test]
    fn only_what_has_not_waited_before_is_news() {
        let mut state = State::default();
        assert!(!state.see(outside(&[("a", "1")])), "the person reads the first screen anyway");
        assert!(!state.see(outside(&[("a", "1")])));
        assert!(state.see(outside(&[("a", "1"), ("b", "1")])));
        assert!(!state.see(outside(&[])));
        assert!(state.see(outside(&[("a", "1")])));
    }

    #[test]
    fn the_sandbox_below_is_the_chosen_calls_or_the_next_one() {
        let mut state = of(&[]);
        assert_eq!(state.shown(), Some(&name("default")));
        for shown in ["a", "b", "default"] {
            press(&mut state, "\t");
            assert_eq!(state.shown(), Some(&name(shown)));
        }
        state.see(outside(&[("b", "1"), ("a", "2")]));
        assert_eq!(state.shown(), Some(&name("default")), "what comes takes nothing off the screen");
        press(&mut state, "j");
        assert_eq!(state.shown(), Some(&name("a")));
        assert_eq!(of(&[("b", "1")]).shown(), Some(&name("b")));
        assert_eq!(chosen(&state), Some("2"));
        press(&mut state, "\t");
        assert_eq!((state.shown(), chosen(&state)), (Some(&name("b")), Some("1")), "Enter is for what is shown");
        press(&mut state, "\t\t");
        assert_eq!((state.shown(), chosen(&state)), (Some(&name("a")), Some("2")));
        state.look_into(Inside::of(name("b")));
        assert_eq!(state.inside, None, "nothing is shown as another's");
        state.look_into(Inside::of(name("a")));
        assert_eq!(state.inside, Some(Inside::of(name("a"))));
        press(&mut state, "\t\t\t");
        assert_eq!(state.shown(), Some(&name("a")));
        assert!(!state.is_known(), "it is looked into again after all the others");
        state.see(Outside { names: vec![name("b")], ..Outside::default() });
        assert_eq!(state.inside, None);
        assert_eq!(state.shown(), Some(&name("b")), "another was removed");
        state.see(Outside::default());
        assert_eq!(state.shown(), None);
    }

    #[test]
    fn what_waits_in_another_repository_does_not_take_the_place_of_the_sandbox_that_is_here() {
        let mut state = State::default();
        state.see(Outside { here: vec![name("a")], ..outside(&[("b", "1"), ("b", "2")]) });
        assert_eq!(state.shown(), Some(&name("a")));
        press(&mut state, "j");
        assert_eq!(state.shown(), Some(&name("b")), "until one of its calls is chosen");
        let mut state = State::default();
        state.see(Outside { here: Vec::new(), ..outside(&[("b", "1")]) });
        assert_eq!(state.shown(), Some(&name("b")), "nothing is here");
    }

    #[test]
    fn help_goes_with_the_next_key_which_decides_nothing() {
        let mut state = of(&[("a", "1")]);
        press(&mut state, "?");
        assert!(state.help);
        assert_eq!(state.press(Key::Enter), None);
        assert!(!state.help);
        press(&mut state, "?");
        assert_eq!(state.press(Key::Char('q')), Some(Wish::Leave));
    }
}

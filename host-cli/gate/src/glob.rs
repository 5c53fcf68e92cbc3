//! The one matcher of globs that a person writes: of branches and of paths.

/// Whether `glob` matches all of `name`, in time proportional to the product of their lengths: `*` stands for
/// anything but a slash, `**` for anything, `?` for one byte but a slash.
pub(crate) fn matches(glob: &[u8], name: &[u8]) -> bool {
    // reachable[n]: the glob so far matches the first n bytes of the name.
    let mut reachable = vec![false; name.len() + 1];
    reachable[0] = true;
    let mut at = 0;
    while at < glob.len() {
        let many = glob[at] == b'*';
        let deep = many && glob.get(at + 1) == Some(&b'*');
        let mut next = vec![false; name.len() + 1];
        for n in 0..=name.len() {
            let before = n.checked_sub(1).map(|before| (before, name[before]));
            next[n] = match before {
                _ if many && reachable[n] => true,
                Some((before, byte)) if many => next[before] && (deep || byte != b'/'),
                Some((before, byte)) => reachable[before] && (glob[at] == byte || glob[at] == b'?' && byte != b'/'),
                None => false,
            };
        }
        reachable = next;
        at += if deep { 2 } else { 1 };
    }
    reachable[name.len()]
}

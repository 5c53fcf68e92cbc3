//! What `git_show` shows, beside what the oracle compares.

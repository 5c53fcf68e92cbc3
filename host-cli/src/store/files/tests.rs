use gate::ledger::{Brief, CallVerdict, Decided, DecidedCall, How, Record};
use gate::time::Timestamp;
use gate::{Fault, FaultKind};
use host::attachment::Attachment;
use host::store::conformance::{EVERY, Place};
use host::store::{Attachments, Journal, LedgerLog, PendingPushes, WaitingCalls};

use super::super::chaos::folder;
use super::super::disk::RealDisk;
use super::super::disk::faulty::Faulty;
use super::*;

struct Folder(tempfile::TempDir);

impl Place for Folder {
    fn open(&self) -> Rc<dyn Storage> {
        storage(&self.0, RealDisk)
    }

    fn failing(&self, at: usize) -> Rc<dyn Storage> {
        storage(&self.0, Faulty::at(at))
    }
}

fn storage(folder: &tempfile::TempDir, disk: impl Disk + 'static) -> Rc<dyn Storage> {
    Rc::new(FileStorage::open(folder.path(), Arc::new(disk)).unwrap())
}

#[test]
fn files_do_what_every_storage_has_to_do() {
    for (name, test) in EVERY {
        println!("{name}");
        test(&|| Box::new(Folder(folder())));
    }
}

/// The lock, for one change.
fn held(storage: &Rc<dyn Storage>) -> Held {
    storage.lock(Wait::Not).unwrap()
}

fn journal(folder: &tempfile::TempDir, content: &[u8], disk: impl Disk + 'static) -> Journal {
    let whole = storage(folder, RealDisk);
    Journal::create(Rc::clone(&whole), &held(&whole), content).unwrap();
    Journal::open(storage(folder, disk)).unwrap()
}

fn content(journal: &Journal) -> Vec<u8> {
    let mut all = Vec::new();
    journal
        .read(3, |part| {
            all.extend_from_slice(part);
            Ok(())
        })
        .unwrap();
    all
}

#[test]
fn a_record_that_cannot_be_written_or_synced_is_not_in_the_file() {
    for step in 0..2 {
        let folder = folder();
        let mut journal = journal(&folder, b"head", Faulty::at(step));
        let error = journal.append(&held(&storage(&folder, RealDisk)), b"record").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Storage);
        assert_eq!(fs::read(folder.path().join("journal")).unwrap(), b"head", "step {step}");
        journal.append(&held(&storage(&folder, RealDisk)), b"-next").unwrap();
        assert_eq!(content(&journal), b"head-next");
    }
}

#[test]
fn a_file_that_cannot_be_cut_back_takes_nothing_more_until_it_is_opened_again() {
    let folder = folder();
    let mut journal = journal(&folder, b"head", Faulty::from(0));
    journal.append(&held(&storage(&folder, RealDisk)), b"record").unwrap_err();
    let error = journal.append(&held(&storage(&folder, RealDisk)), b"x").unwrap_err();
    assert!(error.message.ends_with("/journal must be opened again"), "{error}");
    assert!(journal.has_moved().unwrap());
    assert!(!self::journal(&folder, b"head", RealDisk).has_moved().unwrap());
}

#[test]
fn another_process_is_noticed_when_it_appends_and_when_it_compacts() {
    let folder = folder();
    let mut mine = journal(&folder, b"head", RealDisk);
    let mut other = Journal::open(storage(&folder, RealDisk)).unwrap();
    assert!(!mine.has_moved().unwrap());
    other.append(&held(&storage(&folder, RealDisk)), b"-more").unwrap();
    assert!(mine.has_moved().unwrap());
    mine = Journal::open(storage(&folder, RealDisk)).unwrap();
    let mut parts = vec![b"head-more".to_vec()];
    other.replace(&held(&storage(&folder, RealDisk)), || Ok(parts.pop())).unwrap();
    assert!(mine.has_moved().unwrap(), "same length, another file");
}

#[test]
fn a_compaction_that_fails_at_any_step_leaves_the_old_journal_or_the_new_one() {
    for step in 0.. {
        let folder = folder();
        let mut journal = journal(&folder, b"long-journal", Faulty::at(step));
        let mut parts = vec![b"rt".to_vec(), b"sho".to_vec()];
        let replaced = journal.replace(&held(&storage(&folder, RealDisk)), || Ok(parts.pop()));
        let now = content(&journal);
        if replaced.is_ok() {
            assert_eq!(now, b"short");
            assert!(step > 3);
            break;
        }
        assert!(now == b"long-journal" || now == b"short", "step {step}");
    }
}

#[test]
fn what_follows_the_whole_calls_is_kept_in_files_of_its_own() {
    let folder = folder();
    let storage = storage(&folder, RealDisk);
    Journal::create(Rc::clone(&storage), &held(&storage), b"whole-torn").unwrap();
    let mark = storage.mark(Log::Journal).unwrap().unwrap();
    for name in ["journal.torn", "journal.torn.2", "journal.torn.3"] {
        let place = storage.set_aside(&held(&storage), Log::Journal, mark.at(5)).unwrap();
        assert_eq!(place, folder.path().join(name).display().to_string());
        assert_eq!(fs::read(place).unwrap(), b"-torn");
    }
}

fn ledger(folder: &tempfile::TempDir, disk: impl Disk + 'static) -> LedgerLog {
    LedgerLog::new(storage(folder, disk), "s".parse().unwrap())
}

fn append(folder: &tempfile::TempDir, log: &LedgerLog, record: Record) -> Result<(), Fault> {
    log.append(&held(&storage(folder, RealDisk)), record)
}

fn call(n: u64) -> Record {
    Record::Call(Box::new(DecidedCall {
        call_id: Brief::of(&n.to_string()),
        caller: gate::policy::Caller::Agent,
        tool: Brief::of("git_stage"),
        summary: Brief::default(),
        verdict: CallVerdict::Approved,
        decided: Decided { by: Brief::of("ada"), how: How::Prompt },
        at: Timestamp(n),
    }))
}

#[test]
fn the_first_line_is_recorded_whole_or_not_at_all_whichever_step_fails() {
    for step in 0.. {
        let folder = folder();
        let appended = append(&folder, &ledger(&folder, Faulty::at(step)), call(0));
        let lines = ledger(&folder, RealDisk).read().unwrap().entries().len();
        assert_eq!(lines, usize::from(appended.is_ok()), "step {step}");
        if appended.is_ok() {
            assert_eq!(step, 3, "every step was tried");
            break;
        }
    }
}

#[test]
fn an_append_that_fails_at_any_step_leaves_a_ledger_that_can_be_read_and_appended_to() {
    for step in 0.. {
        let folder = folder();
        let good = ledger(&folder, RealDisk);
        append(&folder, &good, call(0)).unwrap();
        let bad = ledger(&folder, Faulty::from(step));
        let failed = append(&folder, &bad, call(1));
        let lines = good.read().unwrap().entries().len();
        assert_eq!(bad.read().unwrap().entries().len(), lines, "step {step}");
        match failed {
            Ok(()) => {
                assert_eq!(lines, 2);
                assert!(step > 1);
                break;
            }
            Err(fault) => assert_eq!(fault.kind, FaultKind::Host),
        }
        append(&folder, &good, call(2)).unwrap();
        assert_eq!(good.read().unwrap().entries().len(), lines + 1, "step {step}");
    }
}

#[test]
fn a_log_that_cannot_be_read_or_written_is_told_with_what_to_do() {
    let folder = folder();
    fs::create_dir(folder.path().join("audit.log")).unwrap();
    let log = ledger(&folder, RealDisk);
    let told = |Fault { kind, message, hint, .. }: Fault| (kind, message, hint);
    let (kind, message, hint) = told(append(&folder, &log, call(0)).unwrap_err());
    assert_eq!(kind, FaultKind::Host);
    assert!(message.starts_with(&format!("cannot read {}/audit.log: ", folder.path().display())), "{message}");
    assert_eq!(hint, "make that file accessible: gitgate records every decision there before acting on it");
}

#[test]
fn only_their_owner_can_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let storage = storage(&folder, RealDisk);
    Journal::create(Rc::clone(&storage), &held(&storage), b"head").unwrap();
    append(&folder, &ledger(&folder, RealDisk), call(0)).unwrap();
    storage.put(&held(&storage), Kind::Pending, "a.json", b"{}").unwrap();
    Attachments::new(Rc::clone(&storage)).add(&held(&storage), &Attachment::new(b"content".to_vec())).unwrap();
    storage.put_text(&held(&storage), "journal.base", "1").unwrap();
    let mut modes = Vec::new();
    for path in files_in(folder.path()).unwrap() {
        let below = if path.is_dir() { files_in(&path).unwrap() } else { Vec::new() };
        for path in below.into_iter().chain([path]) {
            let name = path.strip_prefix(folder.path()).unwrap().display().to_string();
            let name = name.split_once('/').map_or(name.clone(), |(folder, _)| format!("{folder}/x"));
            modes.push(format!("{name} {:o}", fs::metadata(&path).unwrap().permissions().mode() & 0o777));
        }
    }
    modes.sort();
    let expected = [
        "attachments 700",
        "attachments.checked 600",
        "attachments/x 600",
        "audit.log 600",
        "journal 600",
        "journal.base 600",
        "lock 600",
        "pending 700",
        "pending/x 600",
    ];
    assert_eq!(modes, expected);
}

#[test]
fn what_is_no_record_is_told_with_its_path() {
    let folder = folder();
    let storage = storage(&folder, RealDisk);
    let at = |name: &str| folder.path().join(name);
    for kind in ["pending", "waiting"] {
        fs::create_dir(at(kind)).unwrap();
        fs::write(at(kind).join("x"), "{}").unwrap();
        fs::write(at(kind).join(".a.json.0123456789abcdef.new"), "").unwrap();
        std::os::unix::fs::symlink("x", at(kind).join("link.json")).unwrap();
    }
    let link = |kind: &str| (at(kind).join("link.json").display().to_string(), "it is not a file".to_owned());
    let pending = PendingPushes::new(Rc::clone(&storage)).damaged().unwrap();
    assert_eq!(
        (pending.len(), &pending[0], &pending[1].0),
        (2, &link("pending"), &at("pending/x").display().to_string())
    );
    assert_eq!(WaitingCalls::new(Rc::clone(&storage)).damaged().unwrap(), [link("waiting")]);
    assert_eq!(storage.leftovers().unwrap().len(), 2);
    storage.remove_leftovers(&held(&storage)).unwrap();
    assert_eq!(storage.leftovers().unwrap(), Vec::<String>::new());
}

fn attachments(folder: &tempfile::TempDir) -> Attachments {
    Attachments::new(storage(folder, RealDisk))
}

fn read(attachments: &Attachments, id: &BlobId) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    attachments.read(id, 4, |_, part| {
        all.extend_from_slice(part);
        Ok(())
    })?;
    Ok(all)
}

#[test]
fn a_file_that_was_found_whole_is_checked_again_once_it_was_touched() {
    let folder = folder();
    let attachments = attachments(&folder);
    let attachment = Attachment::new(b"some content".to_vec());
    let id = attachment.id;
    attachments.add(&held(&storage(&folder, RealDisk)), &attachment).unwrap();
    let path = folder.path().join("attachments").join(hex::encode(&id));
    let is_known = || storage(&folder, RealDisk).blob(&id).unwrap().unwrap().is_known_whole();
    assert!(is_known(), "it was hashed when it was stored");
    // As when a sandbox is put back from a backup.
    fs::copy(&path, folder.path().join("copy")).unwrap();
    fs::rename(folder.path().join("copy"), &path).unwrap();
    assert!(!is_known());
    read(&attachments, &id).unwrap();
    assert!(is_known());
    assert_eq!(read(&attachments, &id).unwrap(), b"some content");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "some cOntent").unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let error = read(&attachments, &id).unwrap_err();
    assert_eq!(
        (error.kind, error.message),
        (ErrorKind::Damaged, format!("the attachment {} is damaged", path.display()))
    );
    // What comes again is put in its place.
    attachments.add(&held(&storage(&folder, RealDisk)), &attachment).unwrap();
    assert_eq!(read(&attachments, &id).unwrap(), b"some content");
}

#[test]
fn a_store_that_fails_at_any_step_leaves_no_attachment_that_is_not_whole() {
    for step in 0.. {
        let folder = folder();
        let failing = storage(&folder, Faulty::at(step));
        let content = Attachment::new(b"content".to_vec());
        let added = Attachments::new(Rc::clone(&failing)).add(&held(&failing), &content);
        let attachments = attachments(&folder);
        for id in attachments.list().unwrap() {
            assert_eq!(read(&attachments, &id).unwrap(), b"content");
        }
        if added.is_ok() {
            assert!(step > 3);
            break;
        }
    }
}

//! Writing what a plan says: each file beside its place first, then renamed.

use std::fs;
use std::io;
use std::path::Path;

use super::plan::{Change, Plan, Planned};
use crate::diagnostic::Problem;

/// Writes the plan. What cannot be written leaves `files` and becomes a problem of the plan; it does not
/// keep the other files from being written.
///
/// # Crash safety
///
/// A file is replaced as a whole or not at all. The list of generated files names a file before it is
/// there and until after it is gone, so a run that stops half-way leaves nothing that the next run takes
/// for somebody else's.
pub(crate) fn write(plan: &mut Plan) {
    if let (Some(claims), Some(list)) = (&plan.claims, plan.files.last())
        && let Err(error) = put(&plan.folder.join(&list.path), claims)
    {
        plan.problems.push(refused(list, &error));
        plan.files.clear();
        return;
    }
    let Plan { folder, files, problems, .. } = plan;
    files.retain(|file| {
        let path = folder.join(&file.path);
        let done = match file.change {
            Change::Same => Ok(()),
            Change::Create | Change::Replace => put(&path, &file.after),
            Change::Remove => remove(&path, folder),
        };
        problems.extend(done.as_ref().err().map(|error| refused(file, error)));
        done.is_ok()
    });
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}.part", std::process::id()));
    let done = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // what is left of a failed attempt; the error that counts is the first one
        drop(fs::remove_file(&beside));
    }
    done
}

/// Removes a file, and the folders that are empty without it.
fn remove(path: &Path, root: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    for folder in path.ancestors().skip(1).take_while(|folder| *folder != root) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

fn refused(file: &Planned, error: &io::Error) -> Problem {
    let doing = if file.change == Change::Remove { "removed" } else { "written" };
    let problem = Problem::file(doing, &file.shown, error);
    if file.target.is_empty() {
        return problem;
    }
    problem.note(format!("the target `{}` wants it", file.target))
}

//! Other programs that tests run: the runtimes of clients, and nginx. A test whose programs are not installed is
//! skipped, and stderr says so; CI installs them all.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any client takes, on a busy machine too.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Where a program is installed.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    // the folder of servers is in the PATH of administrators only
    let mut folders: Vec<_> = std::env::split_paths(&folders).collect();
    folders.push("/usr/sbin".into());
    folders.into_iter().map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Whether all programs are installed. If not, says on stderr what is skipped.
pub(crate) fn are_installed(programs: &[&str], what: &str) -> bool {
    let installed = programs.iter().all(|program| find(program).is_some());
    if !installed {
        // the test harness does not capture a direct write to stderr, so it shows even if the test passes
        _ = writeln!(io::stderr(), "SKIPPED: {what}, for {programs:?} are not installed");
    }
    installed
}

/// Runs a command to its end and gives what it prints.
pub(crate) fn output(command: &[String], folder: &Path) -> String {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .current_dir(folder)
        // the server is on this machine, so a proxy in the environment must not be used
        .env("NO_PROXY", "*")
        .env("no_proxy", "*")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    // what a client prints fits into a pipe, so it can be read at the end
    let deadline = Instant::now() + TIMEOUT;
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                _ = child.kill();
                panic!("{command:?} does not end");
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    let [mut output, mut errors] = [(); 2].map(|()| String::new());
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(status.success(), "{command:?}: {status}\n{output}{errors}");
    output
}

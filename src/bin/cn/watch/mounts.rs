//! File systems that do not report what others do to them.
#![expect(clippy::disallowed_methods, reason = "the system's own table is no project's file")]

use std::path::Path;

/// Those of which it is known, by the name that the system gives them: whoever shares the disk is not heard.
const SILENT: &[&str] = &[
    "9p",
    "afs",
    "ceph",
    "cifs",
    "drvfs",
    "fakeowner",
    "fuse",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "prl_fs",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
    "vmhgfs",
    "wslfs",
];

/// The kind of file system that `folder` lies on, if it is one that does not report.
pub(super) fn silent(folder: &Path) -> Option<String> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let kind = kind(&mounts, folder)?;
    // A kind of a kind: `fuse.sshfs`. `fuseblk` is a disk of this machine.
    let family = kind.split('.').next().unwrap_or_default();
    SILENT.contains(&family).then(|| kind.to_owned())
}

/// The kind of file system that `folder` lies on: that of the longest way there, and of two the later one.
fn kind<'m>(mounts: &'m str, folder: &Path) -> Option<&'m str> {
    let mount = |line: &'m str| {
        let (place, system) = line.split_once(" - ")?;
        let point = unescaped(place.split(' ').nth(4)?);
        let is_above = folder.starts_with(&point);
        is_above.then_some((point.len(), system.split(' ').next()?))
    };
    mounts.lines().filter_map(mount).max_by_key(|(length, _)| *length).map(|(_, kind)| kind)
}

/// A path of the table, whose blanks are written as numbers.
fn unescaped(path: &str) -> String {
    [(r"\040", " "), (r"\011", "\t"), (r"\012", "\n"), (r"\134", r"\")]
        .iter()
        .fold(path.to_owned(), |path, (written, meant)| path.replace(written, meant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mount_counts() {
        let mounts = r"25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 25 0:50 / /mnt/c rw - 9p C:\134 rw,trans=fd
            31 25 0:51 / /home/my\040disk rw shared:2 master:1 - fuse.sshfs host: rw
            32 25 0:52 / /home/my\040disk/own rw - tmpfs none rw"
            .replace("            ", "");
        let kind = |folder: &str| kind(&mounts, Path::new(folder)).unwrap();
        assert_eq!(kind("/work"), "ext4");
        assert_eq!(kind("/mnt/c/project/.canopy"), "9p");
        assert_eq!(kind("/mnt/cc"), "ext4");
        assert_eq!(kind("/home/my disk/project"), "fuse.sshfs");
        assert_eq!(kind("/home/my disk/own/project"), "tmpfs");
    }
}

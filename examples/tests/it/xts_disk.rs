use std::process::Command;

use sm4_modes::{DataUnit, Sm4XtsGb, Sm4XtsIeee, cipher::common::TryKeyInit};

use crate::folder::{Folder, XTS_DISK, data};

const KEY: [u8; 32] = *b"the key of data.the key of tweak";

fn folder(len: usize) -> Folder {
    let folder = Folder::new();
    let digits = KEY.map(|byte| format!("{byte:02x}")).concat();
    folder.write("key", digits);
    folder.write("plain", data(len));
    folder
}

fn command<'a>(action: &'a str, standard: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let begin = [action, "--key-file", "key", "--standard", standard];
    [&begin, more].concat()
}

/// Sector by sector, each a call of its own.
fn expected(xts: &impl DataUnit, sector: usize, disk: &[u8]) -> Vec<u8> {
    let mut disk = disk.to_vec();
    for (number, sector) in (0_u128..).zip(disk.chunks_mut(sector)) {
        xts.encrypt(&number.to_le_bytes(), sector).unwrap();
    }
    disk
}

#[test]
fn both_standards() {
    let folder = folder(600 * 4096);
    let plain = folder.read("plain");
    let ieee = Sm4XtsIeee::new(&KEY.into()).unwrap();
    let gb = Sm4XtsGb::new(&KEY.into()).unwrap();
    for (standard, sector, expected) in [
        ("ieee", 512, expected(&ieee, 512, &plain)),
        ("gb", 512, expected(&gb, 512, &plain)),
        ("gb", 4096, expected(&gb, 4096, &plain)),
    ] {
        let size = sector.to_string();
        let run = |action, more: &[&str]| {
            let all = [&["--sector", &size], more].concat();
            let shown = folder.ok(XTS_DISK, &command(action, standard, &all), b"");
            let shown = String::from_utf8(shown).unwrap();
            let sectors = format!("begun at sector 0\n{} sectors, ", plain.len() / sector);
            assert!(shown.starts_with(&sectors), "{shown}");
        };
        run("encrypt", &["plain", "sealed"]);
        assert!(folder.read("sealed") == expected, "{standard} {sector}");
        run("decrypt", &["--threads", "3", "sealed", "opened"]);
        assert!(folder.read("opened") == plain);
        assert_eq!(folder.names(), ["key", "opened", "plain", "sealed"]);
        for name in ["sealed", "opened"] {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
}

/// The system stops the program in the middle: no file may become longer.
#[test]
#[cfg(target_os = "linux")]
fn resumed() {
    let folder = folder(40 << 20);
    folder.ok(
        XTS_DISK,
        &command("encrypt", "gb", &["plain", "whole"]),
        b"",
    );
    let job = command("encrypt", "gb", &["plain", "sealed"]);
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 49152; exec \"$@\"", "sh"])
        .arg(XTS_DISK)
        .args(&job)
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let complaint = String::from_utf8(limited.stderr).unwrap();
    assert_eq!(limited.status.code(), Some(1), "{complaint}");
    assert_eq!(
        complaint,
        "xts_disk: sealed.part: File too large (os error 27)\n"
    );
    let names = ["key", "plain", "sealed.mark", "sealed.part", "whole"];
    assert_eq!(folder.names(), names);

    // Another job does not go on with it, nor does another key.
    let other = [
        command("encrypt", "ieee", &["plain", "sealed"]),
        command("decrypt", "gb", &["plain", "sealed"]),
        command("encrypt", "gb", &["--sector", "4096", "plain", "sealed"]),
    ];
    for other in &other {
        folder.fails(XTS_DISK, other, b"", "belongs to another job or key");
    }
    folder.ok(XTS_DISK, &["keygen", "another"], b"");
    let mut another = job.clone();
    another[2] = "another";
    folder.fails(XTS_DISK, &another, b"", "belongs to another job or key");

    // What is done is not read again.
    let mut plain = folder.read("plain");
    plain[..16 << 20].fill(0);
    folder.write("plain", plain);
    let shown = String::from_utf8(folder.ok(XTS_DISK, &job, b"")).unwrap();
    assert!(shown.starts_with("resumed at sector 32768\n"), "{shown}");
    assert!(folder.read("sealed") == folder.read("whole"));
    assert_eq!(
        folder.names(),
        ["another", "key", "plain", "sealed", "whole"]
    );
}

#[test]
fn refusals() {
    let folder = folder(1000);
    let encrypt = command("encrypt", "gb", &["plain", "sealed"]);
    folder.fails(
        XTS_DISK,
        &encrypt,
        b"",
        "plain: not a number of whole sectors",
    );
    folder.write("plain", data(1024));
    let onto = command("encrypt", "gb", &["plain", "plain"]);
    folder.fails(XTS_DISK, &onto, b"", "plain: exists already");
    folder.write("sealed.part", "of another program");
    folder.fails(
        XTS_DISK,
        &encrypt,
        b"",
        "sealed.part: exists, without a mark",
    );
    assert_eq!(folder.read("sealed.part"), b"of another program");
    std::fs::remove_file(folder.path("sealed.part")).unwrap();
    let directory = command("encrypt", "gb", &[".", "sealed"]);
    folder.fails(XTS_DISK, &directory, b"", ".: not a file");
    let none = command("encrypt", "gb", &["none", "sealed"]);
    folder.fails(XTS_DISK, &none, b"", "none: No such file");
    folder.write("key", "00".repeat(32));
    folder.fails(XTS_DISK, &encrypt, b"", "key: its two halves are equal");
    folder.write("key", "00".repeat(16));
    folder.fails(XTS_DISK, &encrypt, b"", "key: not 64 hexadecimal digits");
    let odd = command("encrypt", "gb", &["--sector", "520", "plain", "sealed"]);
    let output = folder.run(XTS_DISK, &odd, b"");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(folder.names(), ["key", "plain"]);
}

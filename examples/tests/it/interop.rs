use crate::folder::{Folder, INTEROP};

/// Compares with the system's openssl, or says that there is none.
#[test]
fn the_same_as_openssl() {
    let folder = Folder::new();
    for arguments in [&[][..], &["--random"], &["--random"], &["--random"]] {
        let shown = String::from_utf8(folder.ok(INTEROP, arguments, b"")).unwrap();
        if shown.starts_with("NOT COMPARED: no program openssl") {
            println!("{shown}");
            return;
        }
        for line in shown.lines().filter(|line| line.contains("NOT COMPARED")) {
            println!("{line}");
        }
        // An OpenSSL without SM4 has none of them; one with it has all of the first six.
        let same = shown.matches("the same here").count();
        assert!(
            same >= 6 || (same == 0 && !shown.contains("SM4-CBC")),
            "{shown}"
        );
    }
}

#[test]
fn without_openssl() {
    let folder = Folder::new();
    let shown = folder.ok(INTEROP, &["--openssl", "no-such-program"], b"");
    assert_eq!(shown, b"NOT COMPARED: no program no-such-program\n");
}

/// A program that answers something else is noticed.
#[test]
#[cfg(unix)]
fn another_answer() {
    use std::{fs, os::unix::fs::PermissionsExt};

    let folder = Folder::new();
    folder.write("wrong", "#!/bin/sh\ncat >/dev/null\nprintf wrong\n");
    fs::set_permissions(folder.path("wrong"), PermissionsExt::from_mode(0o755)).unwrap();
    let output = folder.run(INTEROP, &["--openssl", "./wrong"], b"");
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    let all = "different: ECB, PKCS#7; CBC, PKCS#7; CFB; OFB; CTR; CMAC; GMAC";
    assert!(complaint.contains(all), "{complaint}");
}

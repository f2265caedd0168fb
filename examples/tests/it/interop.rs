use crate::folder::{Folder, INTEROP};

/// Compares with the system's openssl, or says that there is none.
#[test]
fn the_same_as_openssl() {
    let folder = Folder::new();
    for arguments in [&[][..], &["--random"], &["--random"], &["--random"]] {
        let output = folder.run(INTEROP, arguments, b"");
        let shown = String::from_utf8(output.stdout).unwrap();
        for line in shown.lines().filter(|line| line.contains("NOT COMPARED")) {
            println!("{line}");
        }
        // An OpenSSL without SM4 has none of them; one with it has all of the first six.
        let same = shown.matches("the same here").count();
        let code = if same == 0 { 77 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{shown}");
        if shown.starts_with("NOT COMPARED: no program openssl") {
            return;
        }
        assert!(
            same >= 6 || (same == 0 && !shown.contains("SM4-CBC")),
            "{shown}"
        );
    }
}

#[test]
fn without_openssl() {
    let folder = Folder::new();
    let output = folder.run(INTEROP, &["--openssl", "no-such-program"], b"");
    assert_eq!(output.stdout, b"NOT COMPARED: no program no-such-program\n");
    assert_eq!(output.stderr, b"interop: nothing was compared\n");
    assert_eq!(output.status.code(), Some(77));
}

/// Nor is anything compared with one that has no SM4.
#[test]
#[cfg(unix)]
fn openssl_without_sm4() {
    let folder = Folder::new();
    folder.script("refuses", "cat >/dev/null\necho unknown >&2\nexit 1");
    let output = folder.run(INTEROP, &["--openssl", "./refuses"], b"");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        shown
            .matches("NOT COMPARED, this openssl says: unknown")
            .count(),
        7
    );
    assert_eq!(output.status.code(), Some(77));
}

/// A program that answers something else is noticed.
#[test]
#[cfg(unix)]
fn another_answer() {
    let folder = Folder::new();
    folder.script("wrong", "cat >/dev/null\nprintf wrong");
    let output = folder.run(INTEROP, &["--openssl", "./wrong"], b"");
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    let all = "different: ECB, PKCS#7; CBC, PKCS#7; CFB; OFB; CTR; CMAC; GMAC";
    assert!(complaint.contains(all), "{complaint}");
}

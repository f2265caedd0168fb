use crate::folder::{BANK_MAC, Folder};

const KEY: &str = "0123456789abcdeffedcba9876543210\n";
const TEXT: &[u8] = b"This is the test message for mac";
const SHORT: &[u8] = b"This is the test message ";

/// GB/T 15852.1-2020, annex B, but for CBC-MAC with method 1: there it is the last block that
/// `openssl enc -sm4-cbc -nopad` makes of the message with its zeros.
const ANSWERS: &[(&str, &[u8], &str)] = &[
    ("cmac", b"", "29e154322e5c7bd8ee6a25ba549b24bc"),
    ("cmac", TEXT, "692c437100f3b5ee2b8abcef373d990c"),
    ("cmac", SHORT, "4738a6c760b280fc0c8a8af3886e9f5d"),
    ("cbc-mac1", TEXT, "16e02904efb765b706459c9edabdb519"),
    ("cbc-mac1", SHORT, "ba89e45fe8abf242e26ce032ad007c09"),
    ("cbc-mac2", b"", "8c338e5a27e349beae39214feda97099"),
    ("cbc-mac2", TEXT, "4b6553af3c4e27448412315ac7849535"),
    ("cbc-mac2", SHORT, "421ad1690aa152e2846fa2a5d83445a9"),
    ("cbc-mac3", TEXT, "71af7e4553404cbcc4f2973cdbd0f063"),
    ("cbc-mac3", SHORT, "6a4a86f5b5e468dad27df25fb9d9be16"),
];

#[test]
fn values_of_the_standard() {
    let folder = Folder::new();
    folder.write("key", KEY);
    for &(algorithm, message, mac) in ANSWERS {
        let compute = ["compute", "--key-file", "key", "--algorithm", algorithm];
        let ok = |more: &[&str]| {
            let shown = folder.ok(BANK_MAC, &[&compute, more].concat(), message);
            String::from_utf8(shown).unwrap()
        };
        assert_eq!(ok(&[]), format!("{mac}\n"), "{algorithm}");
        assert_eq!(ok(&["--length", "8"]), format!("{}\n", &mac[..16]));

        let verify = |mac| [&["verify"], &compute[1..], &[mac]].concat();
        let (upper, longer) = (mac.to_uppercase(), format!("{mac}00"));
        for mac in [mac, &mac[..8], &mac[..16], &upper] {
            assert_eq!(folder.ok(BANK_MAC, &verify(mac), message), b"ok\n");
        }
        for wrong in ["00000000", &mac[..6], "", &longer] {
            folder.fails(BANK_MAC, &verify(wrong), message, "is not that of this");
        }
    }
    let verify = ["verify", "--key-file", "key", "--algorithm", "cmac", "xyz1"];
    folder.fails(BANK_MAC, &verify, TEXT, "MAC: invalid symbol");
}

use crate::folder::{Folder, ROWS};

#[test]
fn tables_of_many_sizes() {
    let folder = Folder::new();
    for rows in [1, 2, 15, 17, 1000] {
        let shown = folder.ok(ROWS, &["--rows", &rows.to_string()], b"");
        let shown = String::from_utf8(shown).unwrap();
        let found = format!("id {:018} is in row {}\n", rows / 2, rows / 2);
        assert!(shown.contains(&found), "{shown}");
        let refused = shown.contains("two notes that changed places: refused");
        assert_eq!(refused, rows > 1, "{shown}");
        assert_eq!(shown.matches("rows/s").count(), 4, "{shown}");
    }
    let output = folder.run(ROWS, &["--rows", "0"], b"");
    assert_eq!(output.status.code(), Some(2));
}

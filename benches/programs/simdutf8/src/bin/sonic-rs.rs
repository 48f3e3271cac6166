//! Parses the JSON in each line of a file with sonic-rs: `sonic-rs FILE`. Prints the number of
//! posts and of bytes in their texts.

use sonic_rs::{JsonContainerTrait, JsonValueTrait, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: sonic-rs FILE")?;
    let file = std::fs::read(path)?;
    let (mut posts, mut bytes) = (0, 0);
    for line in file.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let document: Value = sonic_rs::from_slice(line)?;
        for post in document["statuses"].as_array().ok_or("the posts are not an array")?.iter() {
            posts += 1;
            bytes += post["text"].as_str().ok_or("the text is not a string")?.len();
        }
    }
    println!("{posts} posts, {bytes} bytes");
    Ok(())
}

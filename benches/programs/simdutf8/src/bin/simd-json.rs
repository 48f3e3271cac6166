//! Parses the JSON in each line of a file with simd-json: `simd-json FILE`. Prints the number of
//! posts and of bytes in their texts.

use simd_json::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: simd-json FILE")?;
    let mut file = std::fs::read(path)?;
    let (mut posts, mut bytes) = (0, 0);
    // simd-json unescapes strings in place.
    for line in file.split_mut(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let document = simd_json::to_borrowed_value(line)?;
        for post in document["statuses"].as_array().ok_or("the posts are not an array")? {
            posts += 1;
            bytes += post["text"].as_str().ok_or("the text is not a string")?.len();
        }
    }
    println!("{posts} posts, {bytes} bytes");
    Ok(())
}

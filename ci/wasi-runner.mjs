// Runs a WebAssembly program that uses WASI in Node, with the arguments, environment and output of this process:
//
//     node --no-warnings ci/wasi-runner.mjs PROGRAM.wasm ARGUMENT...
//
// The program may read the folder UTFLANE_CORPUS and no other files. An old C library lacks some functions, which only programs with
// threads call. The program imports these functions although they are not part of WASI, and here they throw an error.
import { readFile } from 'node:fs/promises';
import { argv, env } from 'node:process';
import { WASI } from 'node:wasi';

const [, , program, ...rest] = argv;
const corpus = env.UTFLANE_CORPUS;
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...rest],
    env,
    preopens: corpus ? { [corpus]: corpus } : {},
    returnOnExit: true,
});

const module = await WebAssembly.compile(await readFile(program));
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from !== 'wasi_snapshot_preview1') {
        imports[from] ??= {};
        imports[from][name] = () => {
            throw new Error(`the function '${name}' of '${from}' does not exist`);
        };
    }
}
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));

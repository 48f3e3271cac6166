// Runs a WebAssembly program of the WASI kind in Node, with this process's arguments, environment and output:
//
//     node --no-warnings ci/wasi-runner.mjs PROGRAM.wasm ARGUMENT...
//
// It may read the folder of UTFLANE_CORPUS and nothing else. Whatever it imports that is not WASI is a function that throws:
// an old C library lacks some that only programs with threads would call.
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
            throw new Error(`'${name}' of '${from}' is not here`);
        };
    }
}
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));

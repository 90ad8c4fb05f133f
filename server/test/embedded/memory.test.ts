// Facts about the memory of an embedded database: the limits of PostgreSQL and of V8.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { leastToOptimize } from '../../src/platform/embedded-memory.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'

test('PostgreSQL keeps 32 MB of pages, not the 128 MB it would take', async () => {
  const engine = await embeddedEngine(null, { snapshot: await migratedSnapshot() })
  expect(await engine.script('show shared_buffers')).toEqual([{ shared_buffers: '32MB' }])
  await engine.close()
})

/** A WebAssembly module whose function `f` counts down from its argument. */
const bytes = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f], // (i32) -> i32
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 0x66, 0, 0], // exported as "f"
  ...[10, 18, 1, 16, 0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 0, 0x0b],
]

/** Whether V8 optimizes `f` within `turns` calls if `compileWithin` gets `memory` bytes. `Infinity`: calls `f` until V8 does. */
function isOptimized(memory: number, turns: string): boolean {
  const script = `
    import { compileWithin } from ${JSON.stringify(path.resolve(import.meta.dirname, '../../src/platform/embedded-memory.ts'))}
    import { setImmediate } from 'node:timers/promises'
    compileWithin(${memory})
    const { instance } = await WebAssembly.instantiate(new Uint8Array(${JSON.stringify(bytes)}))
    for (let turn = 0; turn < ${turns} && !%IsTurboFanFunction(instance.exports.f); turn++) {
      instance.exports.f(1_000_000)
      await setImmediate()
    }
    console.log(%IsTurboFanFunction(instance.exports.f))`
  const args = ['--allow-natives-syntax', '--input-type=module', '--eval', script]
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim() === 'true'
}

test('where memory is short, V8 does not optimize PostgreSQL, which would take 600 MB', () => {
  expect([isOptimized(leastToOptimize, 'Infinity'), isOptimized(leastToOptimize - 1, '200')]).toEqual([true, false])
})

// Facts about the code itself: the expressions that must not occur anywhere in it.
import { describe, expect, test } from 'vitest'
import { commentsWith, expectNone, isTest, places, product, sources, texts } from './support/product.ts'
import type { Source } from './support/sources.ts'

describe('what may not be written', () => {
  test('no type of the product is `any`: Biome finds them, and nothing silences it', () => {
    const biome = texts.find(({ file }) => file === 'biome.json')?.text
    expect(biome).toContain('"noExplicitAny": "error"')
    expectNone(commentsWith(/noExplicitAny/, product), 'Say what the type is, or `unknown` and narrow it.')
  })

  test('no compiler error is silenced', () => {
    expectNone(commentsWith(/@ts-(?:ignore|expect-error|nocheck)/), 'Correct what the compiler complains about.')
  })

  test('a silenced lint rule has a reason beside it', () => {
    const silenced = /(?:biome-ignore|oxlint-disable|eslint-disable)/
    const bare = sources.flatMap(({ file, comments }) =>
      comments
        .filter(({ text }) => silenced.test(text) && !/(?:biome-ignore.*?:|disable.* -- )\s*(?!<)\w+ \w+/.test(text))
        .map(({ line }) => `${file}:${line}`),
    )
    expectNone(bare, 'Write why the rule does not fit, as in `biome-ignore lint/…: the reason`.')
  })

  test('no test is skipped, alone, or yet to be written', () => {
    const parked = /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo)\b/g
    expectNone(
      places(parked, ({ code }) => code),
      'Make the test pass, or delete it.',
    )
  })

  test('tests wait until something is so, and hold nothing to the clock', () => {
    const tests = sources.filter((source) => isTest(source) && !source.file.endsWith('support/eventually.ts'))
    const timed =
      /\bvi\.wait(?:For|Until)\(|\bpoll\([^;]*?\{ timeout:|expect\([^\n]*\b(?:performance|Date)\.now\(\)[^\n]*\.toBeLess/g
    expectNone(
      places(timed, ({ code }) => code, tests),
      'Wait with `eventually`, or with `expect.poll` as it is; measure speed in bench/, or work by `processorMs`.',
    )
  })

  test('no work is left in comments', () => {
    expectNone(commentsWith(/\b(?:TODO|FIXME|XXX|HACK)\b/), 'Do it now, or leave it to the issue tracker.')
  })

  test('no file names a path of one machine', () => {
    expectNone(
      places(/(?<![\w.@~-])\/(?:work|root|home)\/[\w.]/g, ({ text }) => text, asSources()),
      'Make the path relative to the repository, or take it from the configuration.',
    )
  })

  test('no file names a package registry', () => {
    // `registry.wire.get` is allowed, because it is about node types.
    const registry = /\bregistry\.(?!wire\.)[a-z0-9-]+\.[a-z]{2,}|"resolved": "https?:|^registry\s*=/gm
    expectNone(
      places(registry, ({ text }) => text, asSources()),
      'Leave the registry to the npm configuration of whoever installs (`npm install` with omit-lockfile-registry-resolved).',
    )
  })
})

/** Every text file, for rules that also apply outside code. */
function asSources(): Source[] {
  return texts.map(({ file, text }) => ({ file, text, code: '', comments: [], imports: [], isBarrel: false }))
}

// Facts about the code itself: file size, direction of imports, forbidden expressions, and who reports changes.
import path from 'node:path'
import type { ChangeKind } from '@atelier/contract/wire/events.ts'
import { describe, expect, test } from 'vitest'
import {
  browserTests,
  databaseTests,
  embeddedTests,
  longTests,
  mainBrowserTests,
  onceTests,
  postgresTests,
  pureTests,
  s3Tests,
  webkitTests,
} from '../../vitest.config.ts'
import { badImports, expectNone, places, product, sources, texts } from './support/product.ts'
import { cyclesAmong, type Source } from './support/sources.ts'

/** The layer of each server folder: imports go to the same layer or a lower one. Files directly in `server/src` are on top. */
const heights: Record<string, number> = {
  platform: 1,
  migrations: 1,
  nodes: 2,
  engine: 2,
  features: 3,
  wiring: 4,
  commands: 5,
}
const top = 5

/** The layer of each web folder: imports from another folder go to a lower layer. Files directly in `web/src` are on top. */
const webHeights: Record<string, number> = {
  lib: 1,
  ui: 2,
  canvas: 3,
  board: 4,
  money: 4,
  review: 5,
  task: 6,
  graph: 6,
  viewer: 6,
  run: 7,
  studio: 8,
  automations: 8,
  command: 9,
  guest: 8,
  lookup: 8,
  notices: 8,
  people: 8,
  shell: 10,
}

function serverFolder(file: string): string | null {
  return /^server\/src\/([^/]+)\//.exec(file)?.[1] ?? null
}

function featureOf(file: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(file)?.[1]
}

function height(file: string): number {
  const folder = serverFolder(file)
  return folder === null ? top : (heights[folder] ?? 0)
}

describe('size and shape', () => {
  test('the tests read the code they are about', () => {
    expect(sources.map(({ file }) => file)).toContain('server/test/architecture.test.ts')
    expect(sources.some(({ file }) => file.startsWith('contract/src/'))).toBe(true)
    const unresolved = sources.flatMap(({ file, imports }) =>
      imports
        .filter(({ to }) => to.includes('/src/') && !texts.some((text) => text.file === to))
        .map(({ to }) => `${file} imports ${to}`),
    )
    expectNone(unresolved, 'These imports lead to no file: correct the path, with its ending.')
  })

  test('every test file belongs to a project of vitest.config.ts', () => {
    const patterns = [
      ...s3Tests,
      ...pureTests,
      ...databaseTests,
      ...onceTests,
      ...postgresTests,
      ...embeddedTests,
      ...browserTests,
      ...webkitTests,
    ]
    const files = sources.map(({ file }) => file).filter((file) => /\.test\.tsx?$/.test(file))
    const forgotten = files.filter((file) => !patterns.some((pattern) => path.posix.matchesGlob(file, pattern)))
    expectNone(forgotten, 'These tests would never run: move them, or add their folder to vitest.config.ts.')
  })

  test('every test file that vitest.config.ts names is there', () => {
    const missing = [...longTests, ...mainBrowserTests].filter((name) => !sources.some(({ file }) => file === name))
    expectNone(missing, 'There are no such test files: correct their names in vitest.config.ts.')
  })

  test('a file has at most 400 lines, or says why not', () => {
    const long = sources.filter(({ text }) => {
      const lines = text.trimEnd().split('\n')
      return lines.length > 400 && !lines.slice(0, 5).some((line) => line.includes('over 400 lines because'))
    })
    expectNone(
      long.map(({ file, text }) => `${file}: ${text.trimEnd().split('\n').length} lines`),
      'Split these by subject, or say "over 400 lines because …" within their first 5 lines.',
    )
  })

  test('a file opens with a comment', () => {
    const opening = /^(?:#!.*\n)?\s*(?:\/\/|\/\*|--)\s*\S/
    const silent = sources.filter(({ text }) => !opening.test(text)).map(({ file }) => file)
    expectNone(silent, 'Open these with one sentence that says what the file is in charge of.')
  })

  test('no file only passes on the exports of others', () => {
    const barrels = sources.filter(({ isBarrel }) => isBarrel).map(({ file }) => file)
    expectNone(barrels, 'Delete these barrels, and import the files themselves.')
  })
})

describe('imports', () => {
  test('the contract imports nothing of the server or the web, and no I/O', () => {
    const offenders = badImports((from, to) =>
      from.startsWith('contract/') && /^(?:server|web|bench|scripts)\/|^node:/.test(to) ? '' : null,
    )
    expectNone(offenders, 'The contract is for server, web and clients alike: move what it needs into contract/.')
  })

  test('the web and the server share nothing but the contract', () => {
    const offenders = badImports((from, to) =>
      (from.startsWith('web/') && to.startsWith('server/')) || (from.startsWith('server/') && to.startsWith('web/'))
        ? ''
        : null,
    )
    expectNone(offenders, 'Put what both need into contract/.')
  })

  test('every folder of the server has its place in the order of imports', () => {
    const folders = new Set(product.map(({ file }) => serverFolder(file)).filter((folder) => folder !== null))
    const unknown = [...folders].filter((folder) => !(folder in heights)).map((folder) => `server/src/${folder}/`)
    expectNone(
      unknown,
      'Move these into a folder of ARCHITECTURE.md, or give them a height in this test and a line there.',
    )
  })

  test('server imports go main → commands → wiring → features → engine, nodes → platform → contract', () => {
    const offenders = badImports((from, to) =>
      from.startsWith('server/src/') &&
      to.startsWith('server/') &&
      (!to.startsWith('server/src/') || height(to) > height(from))
        ? ''
        : null,
    )
    expectNone(offenders, 'Move what is shared down, or pass it in from above as an argument.')
  })

  test('web imports go shell → studio and other pages → run → graph, task → board → canvas → ui → lib, those of types too', () => {
    const folder = (file: string) => /^web\/src\/([^/]+)\//.exec(file)?.[1]
    const offenders = badImports((from, to) => {
      const [own, other] = [folder(from), folder(to)]
      if (!own || !to.startsWith('web/src/') || own === other) return null
      const below = other === undefined ? Number.POSITIVE_INFINITY : (webHeights[other] ?? Number.POSITIVE_INFINITY)
      return below < (webHeights[own] ?? 0) ? null : ''
    })
    expectNone(offenders, 'Move what is shared down, or pass it in from above.')
    const folders = new Set(product.map(({ file }) => folder(file)).filter((one) => one !== undefined))
    expect([...folders].toSorted()).toEqual(Object.keys(webHeights).toSorted())
  })

  test('a feature imports of another the `store.ts` of its folder or of a folder inside, and nothing else', () => {
    const offenders = badImports((from, to) => {
      const [own, other] = [featureOf(from), featureOf(to)]
      // The demo uses the write functions of other features, so that its records are made just as the product makes them.
      return own && other && own !== other && own !== 'demo' && !to.endsWith('/store.ts') ? '' : null
    })
    expectNone(offenders, 'Import the `store.ts` of the other feature, move the function there, or move it down.')
  })

  test('features depend on each other in one direction, types included', () => {
    const features = new Map<string, Source>()
    for (const { file, imports } of product) {
      const own = featureOf(file)
      if (!own) continue
      const others = imports.flatMap(({ to }) => {
        const other = featureOf(to)
        return other && other !== own ? [{ to: other, typeOnly: false }] : []
      })
      const known = features.get(own)?.imports ?? []
      features.set(own, {
        file: own,
        text: '',
        code: '',
        comments: [],
        imports: [...known, ...others],
        isBarrel: false,
      })
    }
    expect(features.size).toBeGreaterThan(12)
    const cycles = cyclesAmong([...features.values()]).map((names) => names.join(' → '))
    expectNone(cycles, 'Make one of them the lower one, or make them rooms of one feature.')
  })

  test('inside the engine imports go work, read → transitions → store → model, those of types too', () => {
    const room = (file: string) => /^server\/src\/engine\/(\w+)\//.exec(file)?.[1]
    const roomHeights: Record<string, number> = { model: 1, store: 2, transitions: 3, work: 4, read: 4 }
    const offenders = badImports((from, to) => {
      const [own, other] = [room(from), room(to)]
      if (!own || !other || own === other) return null
      return (roomHeights[own] ?? 0) > (roomHeights[other] ?? Number.POSITIVE_INFINITY) ? null : ''
    })
    expectNone(
      offenders,
      'Move what is shared down: pure parts to model, statements to store, changes of a run to transitions.',
    )
    const rooms = new Set(product.map(({ file }) => room(file)).filter((one) => one !== undefined))
    expect([...rooms].toSorted()).toEqual(Object.keys(roomHeights).toSorted())
    const loose = product.filter(({ file }) => /^server\/src\/engine\/[^/]+$/.test(file)).map(({ file }) => file)
    expectNone(loose, 'Put these into a room of the engine.')
  })

  test('only the table of transitions sets the status of a run', () => {
    const server = product.filter(({ file }) => file.startsWith('server/src/'))
    const writers = server.filter(({ text }) =>
      /updateTable\('runs'\)|\bupdate runs\b|\binto runs\b|insertInto\('runs'\)/.test(text),
    )
    expectNone(
      writers
        .map(({ file }) => file)
        .filter((file) => !/^server\/src\/engine\/(?:store|transitions|work)\//.test(file)),
      'Leave the rows of runs to the engine.',
    )
    const inStatement = /\bupdate runs\b[^`]*?\bset\b(?:(?!\bwhere\b)[^`])*?\bstatus\s*=/g
    const inCall = /(?:updateRun|updateRunInternal|setColumns)\([^\n]*\bstatus:/g
    const inBuilder = /updateTable\('runs'\)\s*\.set\(\{[^}]*\bstatus:/g
    expectNone(
      [inStatement, inCall, inBuilder].flatMap((pattern) => places(pattern, ({ text }) => text, server)),
      'Add the transition to engine/transitions/states.ts, and use its columns.',
    )
  })

  test('what a refused value is told stands in one file', () => {
    const sentences = /Field required|Extra inputs are not permitted|Value error, |(?:Input|String) should /g
    const others = product.filter(({ file }) => !/^web|validation-errors\.ts$/.test(file))
    expectNone(
      places(sentences, ({ text }) => text, others),
      'Take the words of contract/src/wire/validation-errors.ts, or add them there.',
    )
  })

  test('what is told of an id that names nothing stands in one file', () => {
    const others = product.filter(({ file }) => file.startsWith('server/src/'))
    const sentence =
      /There is no (?:task|creative|comment|graph|run|automation|product|person|token) (?:with the id )?\$\{/g
    expectNone(
      places(sentence, ({ text }) => text, others),
      'Throw `notFound` of the contract.',
    )
  })

  test('whether the retention window is over stands in one file, and in the feeds, which bind it', () => {
    const window = /deleted_at\b[^\n]*[<>]=? now\(\) - make_interval/g
    const others = product.filter(
      ({ file }) => file.startsWith('server/src/') && !/platform\/retention\.ts$|features\/tasks\/feed\//.test(file),
    )
    expectNone(
      places(window, ({ text }) => text, others),
      'Use `inRetention` or `pastRetention` of platform/retention.ts.',
    )
  })

  test('the engine and the nodes know nothing of HTTP', () => {
    const http = /^(?:fastify|@fastify\/.*|node:https?|node:http2)$|^server\/src\/platform\/http/
    const offenders = badImports((from, to) =>
      /^server\/src\/(?:engine|nodes)\//.test(from) && http.test(to) ? '' : null,
    )
    expectNone(offenders, "Leave HTTP to a feature's routes.ts, and hand over plain values.")
  })

  test('there are no import cycles', () => {
    const cycles = cyclesAmong(sources).map((files) => files.join(' → '))
    expectNone(cycles, 'Break each cycle: `import type` where only the type is meant, or move the shared part down.')
  })
})

describe('live events', () => {
  /** The table that stores each kind of record. */
  const tables: Record<ChangeKind, string> = {
    task: 'tasks',
    creative: 'creatives',
    comment: 'comments',
    graph: 'graphs',
    run: 'runs',
    automation: 'automations',
    person: 'users',
    product: 'products',
    notice: 'notices',
    template: 'task_templates',
    money: 'budgets|money_settings',
    token: 'tokens',
  }
  /** File that writes to these tables without sending a change event → why that is right. */
  const silent: Record<string, string> = {
    'server/src/features/demo/store.ts': 'dates what it makes itself, before anybody is there',
    'server/src/features/tasks/purge.ts': 'takes what no list shows any more',
    'server/src/features/graphs/purge.ts': 'takes what no list shows any more',
    'server/src/engine/store/purge.ts': 'takes what no list shows any more',
  }
  const names = Object.values(tables).join('|')
  const builders = `(?:insertInto|updateTable|deleteFrom)\\('(?:${names})'\\)`
  const written = new RegExp(`${builders}|\\b(?:insert into|update|delete from) (?:${names})\\b`, 'g')
  const writers = texts.filter(
    ({ file, text }) => /^server\/src\/.*(?<!\.test)\.ts$/.test(file) && text.search(written) >= 0,
  )

  test('every kind of record is written by some file', () => {
    const all = writers.map(({ text }) => text).join()
    const missing = Object.values(tables).filter((table) => !new RegExp(`('|\\s)${table}\\b`).test(all))
    expect(missing).toEqual([])
    expect(writers.length).toBeGreaterThan(15)
  })

  test('whoever writes a record that can be watched tells that it changed', () => {
    // `tellReaders` is for notices: it reports the change only to the person to whom the notice belongs.
    const tells = /\b(?:tellChanged|tellReaders)\(/
    const quiet = writers.filter(({ file, text }) => !(file in silent) && !tells.test(text))
    expectNone(
      quiet.map(({ file }) => file),
      'Call `tellChanged` where these write the record, in the same transaction.',
    )
    const idle = Object.keys(silent).filter((file) => !writers.some((writer) => writer.file === file))
    expectNone(idle, 'These write nothing that can be watched: take them out of `silent`.')
  })
})

// Facts about the files of a store that a restored database does not name.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { store } from '../../../test/support/byte-store-facts.ts'
import { fileFolder } from '../file-folder.ts'
import { compareFiles } from './named-files.ts'

test('they are counted with their sizes, and stay where they are', async () => {
  const folder = await mkdtemp(`${tmpdir()}/atelier-unnamed-`)
  onTestFinished(() => rm(folder, { recursive: true }))
  const bytes = fileFolder(folder)
  const named = { digest: await store(bytes, 'named'), size: 5 }
  const others = [{ digest: await store(bytes, 'left'), size: 4 }]
  expect(await compareFiles(bytes, [named])).toEqual({ missing: [], unnamed: { count: 1, bytes: 4 } })
  expect(await compareFiles(bytes, [named, ...others])).toEqual({ missing: [], unnamed: { count: 0, bytes: 0 } })
})

// Facts about the names of backups.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveName } from './archive.ts'
import { stampOf } from './stamps.ts'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-stamps-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The command of docs/operating.md that deletes old backups; `backup` is what makes a new one in it. */
async function documented(backup: string): Promise<string> {
  const text = await readFile(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
  const command = text.split('```').find((part) => part.startsWith('sh\n') && part.includes('-mtime')) ?? ''
  return command
    .slice('sh\n'.length)
    .replace('npm run backup -- --to /mnt/backups', backup)
    .replaceAll('/mnt/backups', folder)
}

test('the documented command deletes old backups after a good one, and nothing else', async () => {
  const stamp = stampOf(new Date('2026-10-01T03:00:00Z'))
  const backups = [`atelier-${stamp}`, archiveName(stamp, false), archiveName(stamp, true), `.making-${stamp}`]
  const others = ['atelier-backup.key', `atelier-${stamp}-kept`, `old-atelier-${stamp}`, 'atelier-notes.tar']
  for (const name of [...backups, ...others]) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'inside'), '')
    await utimes(join(folder, name), 0, 0)
  }
  const recent = `atelier-${stampOf(new Date())}`
  await mkdir(join(folder, recent))
  await expect(run('sh', ['-c', await documented('false')])).rejects.toMatchObject({ code: 1 })
  expect(await readdir(folder)).toHaveLength(backups.length + others.length + 1)
  await run('sh', ['-c', await documented('true')])
  expect(new Set(await readdir(folder))).toEqual(new Set([...others, recent]))
})

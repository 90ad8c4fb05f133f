// In charge of the rehearsal itself, in its own mount namespace: installs one machine and restores its backup on another machine.
// Both machines must have the same rows in the database, and must return the same tasks, creatives, graphs and runs over HTTP.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { findS3 } from '../../scripts/s3.ts'
import { type S3Server, startS3 } from '../../server/test/support/ceph.ts'
import { here, type Machine, makeDebian, makeNetwork, removeNetwork, startMachine } from './machine.ts'
import { commandsBelow, type steps } from './page.ts'
import { output, run } from './run.ts'
import { visitorOf } from './visit.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** The host name that docs/deploying.md uses; it resolves to the machine that was started last. */
export const host = 'atelier.example.org'
const password = 'rehearsed'
const acts = 600

const page = await readFile(path.join(root, 'docs/deploying.md'), 'utf8')
const commands = (...headings: (typeof steps)[number][]): string =>
  commandsBelow(page, headings).join('\n').replaceAll('CHANGE-ME', password)
const began = performance.now()
const say = (what: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${what}`)

type Where = { folder: string; mirror: string | undefined; authority: string | undefined }
/**
 * `commit`: the commit from which both machines get their sources, even if there are newer commits meanwhile. `store`: the S3
 * server that keeps the files; null if no S3 server is installed, in which case each machine keeps its files in a folder.
 */
type Rehearsal = Where & { commit: string; store: S3Server | null; machines: Machine[] }

export async function rehearse(where: Where): Promise<void> {
  await run('umount', ['--recursive', '/sys/fs/cgroup'])
  await run('mount', ['-t', 'cgroup2', 'none', '/sys/fs/cgroup'])
  const machines: Machine[] = []
  await makeNetwork()
  const store = findS3() ? await startS3(here) : null
  try {
    const commit = (await output('git', ['-C', root, 'rev-parse', 'HEAD'])).trim()
    await followPage({ ...where, commit, store, machines })
  } finally {
    for (const machine of machines) await machine.stop()
    await store?.remove()
    await removeNetwork()
  }
}

async function followPage(rehearsal: Rehearsal): Promise<void> {
  const { folder, mirror, store } = rehearsal
  const carried = path.join(folder, 'carried')
  say(
    store
      ? 'files in S3 (Ceph’s gateway)'
      : 'files in a folder: there is no S3 server here (Debian: apt install radosgw ceph-mon ceph-osd)',
  )
  const debian = await makeDebian(folder, mirror)
  const first = await start(rehearsal, 'first', 11, debian)
  await first.type(commands('Programs', 'PostgreSQL', 'Settings', 'Processes'))
  const [link = '', token = ''] = (await first.ask('cd /var/lib/atelier/3001 && cat sign-in-link owner-token')).split(
    '\n',
  )
  await first.type(commands('The way in', 'Proxy'))
  say('the first machine serves')
  const visitor = visitorOf(`https://${host}`, token)
  await visitor.arrive()
  await visitor.signIn(link)
  await visitor.work(acts)
  await visitor.tryProxy()
  say(`signed in by the link, ${acts} acts, runs done, 60 MB taken in, an event heard`)
  await soundness(first)

  await first.type(commands('Backup'))
  const records = (await first.ask(recordsOf)).trim().split('\n')
  const [seen, tables] = [await visitor.look(records), await tablesOf(first)]
  say(`backed up; ${records.length} records looked at`)
  await putSources(first.folder, upgraded, rehearsal.commit)
  // One call, because the commands of the way back use a function that those of the upgrade define. The last process of each is
  // looked at, because a shell goes on after a failed command that another one follows by `&&`.
  const isFrom = (folder: string, unit: string): string =>
    `test "$(readlink "/proc/$(systemctl show -P MainPID ${unit})/cwd")" = /opt/${folder}`
  const upgrade = [commands('Upgrade'), isFrom(upgraded, 'atelier@3002')]
  await first.type([...upgrade, commands('The way back'), isFrom(installed, 'atelier-work@2')].join('\n'))
  await visitor.look(records)
  say('upgraded and gone back, process by process')
  await run('cp', ['-a', path.join(first.folder, 'var/backups/atelier'), carried])
  await first.stop()

  const second = await start(rehearsal, 'second', 12, debian)
  await second.type(commands('Programs', 'PostgreSQL', 'Settings'))
  await run('cp', ['-a', `${carried}/.`, path.join(second.folder, 'var/backups/atelier')])
  await second.type(commands('On another machine'))
  compare('tables', tables, await tablesOf(second))
  await second.type(commands('Processes', 'Proxy'))
  await visitor.arrive()
  compare('records', seen, await visitor.look(records))
  await visitor.work(acts)
  await soundness(second)
  say('the second machine has every record and every byte of the first, and goes on')
}

/** The folders in /opt that docs/deploying.md names for the first version and for the one after it. Here, both have the same sources. */
const [installed, upgraded] = ['atelier-0.3.0', 'atelier-0.3.1']

/** Puts the sources of a commit into a folder below /opt of a machine, whose own folder is `at`. */
async function putSources(at: string, name: string, commit: string): Promise<void> {
  const folder = path.join(at, 'opt', name)
  await mkdir(folder)
  await run('sh', ['-c', 'git -C "$0" archive "$2" | tar -x -C "$1"', root, folder, commit])
}

/** Starts a machine with the sources, the certificate, and an `editor` program that makes the changes an operator would make. */
async function start(
  { folder, authority, commit, store, machines }: Rehearsal,
  name: string,
  number: number,
  debian: string,
): Promise<Machine> {
  if (store) await makeBucket(store, name)
  const prepare = async (at: string): Promise<void> => {
    await writeFile(path.join(at, 'etc/hostname'), `${name}\n`)
    await writeFile(path.join(at, 'etc/hosts'), `127.0.0.1 localhost ${name}\n`)
    await writeFile(path.join(at, 'etc/dpkg/dpkg.cfg.d/quick'), 'force-unsafe-io\n')
    await putSources(at, installed, commit)
    await mkdir(path.join(at, 'etc/letsencrypt/live'), { recursive: true })
    await run('cp', ['-a', path.join(folder, 'certificate'), path.join(at, 'etc/letsencrypt/live', host)])
    await writeFile(path.join(at, 'usr/local/bin/editor'), editor(store, name), { mode: 0o755 })
    if (authority === undefined) return
    await mkdir(path.join(at, 'usr/local/share/ca-certificates'), { recursive: true })
    await run('cp', [authority, path.join(at, 'usr/local/share/ca-certificates/rehearsal.crt')])
  }
  const env: Record<string, string> =
    authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: '/usr/local/share/ca-certificates/rehearsal.crt' }
  const log = path.join(folder, `${name}.log`)
  const machine = await startMachine({ name, number, debian, folder, log, env, prepare })
  machines.push(machine)
  await writeFile('/etc/hosts', `127.0.0.1 localhost\n${machine.address} ${host}\n`)
  return machine
}

function editor(store: S3Server | null, bucket: string): string {
  const files = store
    ? [`ATELIER_FILES=s3://${bucket}`, ...Object.entries(store.settings).map(([name, value]) => `${name}=${value}`)]
    : ['ATELIER_FILES=/var/lib/atelier/files']
  const lines = files.map((line) => `echo '${line}' >> "$1"`).join('\n')
  return `#!/bin/sh\nset -e\ncase "$1" in *atelier.env)\nsed -i 's/CHANGE-ME/${password}/; /^ATELIER_FILES=/d' "$1"\n${lines}\nesac\n`
}

async function makeBucket({ settings }: S3Server, bucket: string): Promise<void> {
  Object.assign(process.env, settings)
  await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: bucket }))
}

/** Prints security ratings and memory use of the systemd units, and warnings from their log; throws if a unit failed. */
async function soundness(machine: Machine): Promise<void> {
  const failed = await machine.ask(
    'systemctl list-units --failed --plain --no-legend "atelier*" nginx.service "postgresql*"',
  )
  const warned = await machine.ask(
    'journalctl --quiet --unit "atelier*" --output cat --no-pager | grep -E \'"level":(40|50|60)\' | head -20 || true',
  )
  if (failed.trim() !== '') throw new Error(`Units failed on the ${machine.name} machine: ${failed}`)
  if (warned.trim() !== '') say(`the log of the ${machine.name} machine has: ${warned}`)
  const exposure =
    'for unit in atelier@3001 atelier-work@1 atelier-backup; do systemd-analyze security --no-pager $unit.service | tail -n 1; done'
  const memory =
    'for unit in atelier@3001 atelier@3002 atelier-work@1 atelier-work@2; do echo "$unit $(grep VmHWM /proc/$(systemctl show -P MainPID $unit)/status)"; done'
  for (const command of [exposure, memory]) console.log((await machine.ask(command)).trim())
}

/** A command that prints the API paths of all tasks, creatives, graphs and runs that are not deleted. */
const recordsOf = `runuser -u postgres -- psql --quiet --no-align --tuples-only --dbname atelier --command "
  select '/api/v1/tasks/' || id from tasks where deleted_at is null union all
  select '/api/v1/creatives/' || id from creatives where deleted_at is null union all
  select '/api/v1/graphs/' || id from graphs where deleted_at is null union all
  select '/api/v1/runs/' || id from runs where deleted_at is null"`

/** Returns a line for each table: its name, its number of rows, and a digest of all rows. */
async function tablesOf(machine: Machine): Promise<string[]> {
  const digest = `select format('select %L, count(*), md5(string_agg(line::text, chr(10) order by line::text)) from %I as line', table_name, table_name)
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const command = `cd / && runuser -u postgres -- psql --quiet --no-align --tuples-only --dbname atelier <<'SQL'\n${digest} \\gexec\nSQL\n`
  return (await machine.ask(command)).trim().split('\n')
}

/**
 * Tables that are not compared, since they change without requests: the workers, the last use of tokens, and the counters into
 * which a periodic job folds counts.
 */
const unasked = /^(?:workers|tokens|task_counts)\|/

function compare(what: string, before: readonly string[], after: readonly string[]): void {
  const now = new Set(after)
  const lost = before.filter((line) => !now.has(line) && !unasked.test(line))
  if (lost.length > 0)
    throw new Error(`Of ${before.length} ${what}, ${lost.length} are others: ${lost.slice(0, 5).join('\n')}`)
  say(`${before.length} ${what} are the same`)
}

// In charge of temporary S3 servers for tests: Ceph's gateway on a cluster of one monitor and one object store in memory. A
// server ends and its data is deleted when the process that started it ends, even if that process is killed.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

export type S3Server = {
  /** The environment variables that an AWS client needs: the server's URL, the region, and the keys of the one user. */
  settings: Record<string, string>
  /** Kills the gateway and keeps the stored data; `start` starts the gateway again. */
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Starts a server whose gateway listens on `address`. Its monitor and its object store always listen on 127.0.0.1. */
export async function startS3(address = '127.0.0.1'): Promise<S3Server> {
  const folder = await mkdtemp('/tmp/atelier-ceph-')
  const [monitor, gateway] = [await freePort(), await freePort()]
  for (const name of ['mon', 'osd', 'run']) await mkdir(path.join(folder, name))
  const conf = path.join(folder, 'ceph.conf')
  const fsid = randomUUID()
  await writeFile(conf, configuration(folder, fsid, monitor, `${address}:${gateway}`))
  const cleaner = startCleaner(folder)
  const ceph = (program: string, ...args: string[]) => run(program, ['-c', conf, ...args], { timeout: 120_000 })
  try {
    const map = path.join(folder, 'monmap')
    await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, map])
    await ceph('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map)
    keep(cleaner, daemon('ceph-mon', '-c', conf, '-i', 'a', '-f'))
    const store = randomUUID()
    await ceph('ceph', 'osd', 'new', store)
    await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
    keep(cleaner, daemon('ceph-osd', '-c', conf, '-i', '0', '-f'))
    const startGateway = async () => {
      const server = keep(cleaner, daemon('radosgw', '-c', conf, '-n', 'client.rgw', '-f'))
      await listening(address, gateway, server)
      return server
    }
    let server = await startGateway()
    const [key, secret] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')]
    const user = ['user', 'create', '--uid=test', '--display-name=test', `--access-key=${key}`, `--secret=${secret}`]
    await ceph('radosgw-admin', '-n', 'client.rgw', ...user)
    return {
      settings: {
        AWS_ENDPOINT_URL: `http://${address}:${gateway}`,
        AWS_ACCESS_KEY_ID: key,
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_REGION: 'us-east-1',
      },
      stop: async () => {
        const ended = once(server, 'exit')
        server.kill('SIGKILL')
        await ended
      },
      start: async () => {
        server = await startGateway()
      },
      remove: () => endCleaner(cleaner),
    }
  } catch (error) {
    await endCleaner(cleaner)
    throw error
  }
}

const daemon = (program: string, ...args: string[]): ChildProcess => spawn(program, args, { stdio: 'ignore' })

/** Starts a process that reads process ids, one per line; when its input closes, it kills those processes and deletes `folder`. */
function startCleaner(folder: string): ChildProcess {
  const script = 'pids=; while read -r pid; do pids="$pids $pid"; done; kill -9 $pids; rm -rf "$0"'
  return spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}

function keep(cleaner: ChildProcess, server: ChildProcess): ChildProcess {
  cleaner.stdin?.write(`${server.pid}\n`)
  return server
}

async function endCleaner(cleaner: ChildProcess): Promise<void> {
  const ended = once(cleaner, 'exit')
  cleaner.stdin?.end()
  await ended
}

async function listening(address: string, port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; ; tries++) {
    const socket = connect(port, address)
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    if (server.exitCode !== null) throw new Error('The S3 gateway ended at its start.')
    if (tries > 600) throw new Error('The S3 gateway does not listen after a minute.')
    await wait(100)
  }
}

/** Ceph's configuration file: one object store in memory. The gateway, the monitor and the store do not authenticate each other. */
const configuration = (folder: string, fsid: string, monitor: number, gateway: string): string => `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitor}]
public addr = 127.0.0.1
auth supported = none
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms client mode = crc
ms service mode = crc
ms mon service mode = crc
ms mon cluster mode = crc
ms cluster mode = crc
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = ${folder}/run/$name.log
pid file = ${folder}/run/$name.pid
crash dir = ${folder}/run
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 0
mon data avail warn = 0
mon max pg per osd = 1000
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
[client.rgw]
rgw frontends = beast endpoint=${gateway}
rgw data = ${folder}/run
rgw relaxed s3 bucket names = true
`

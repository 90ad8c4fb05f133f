// In charge of machines for the rehearsal: each is a fresh Debian in a folder, started with its own systemd, network and processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { output, run } from './run.ts'

/** The network bridge of the machines, and the host's address on it. */
const bridge = 'atelier-bridge'
export const here = '10.77.0.1'

export type Machine = {
  name: string
  address: string
  folder: string
  /** Runs commands as root, one after the other, as if typed in a shell; throws at the first one that fails. */
  type(commands: string): Promise<void>
  /** Runs a command and returns its output. */
  ask(command: string): Promise<string>
  stop(): Promise<void>
}

/** Makes a folder with a fresh Debian, unless an earlier rehearsal made it; each machine gets a copy. Returns the folder's path. */
export async function makeDebian(folder: string, mirror: string | undefined): Promise<string> {
  const debian = path.join(folder, 'debian')
  if (existsSync(debian)) return debian
  await rm(`${debian}.making`, { recursive: true, force: true })
  await run('debootstrap', ['bookworm', `${debian}.making`, ...(mirror === undefined ? [] : [mirror])])
  await rm(path.join(`${debian}.making`, 'etc/machine-id'), { force: true })
  await rename(`${debian}.making`, debian)
  return debian
}

/** Makes a bridge that connects the machines with each other and with the internet; `removeNetwork` removes it and its rules. */
export async function makeNetwork(): Promise<void> {
  await removeNetwork()
  await run('ip', ['link', 'add', bridge, 'type', 'bridge'])
  await run('ip', ['address', 'add', `${here}/24`, 'dev', bridge])
  await run('ip', ['link', 'set', bridge, 'up'])
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1')
  const out = [
    'add',
    'rule',
    'ip',
    bridge,
    'out',
    'ip',
    'saddr',
    `${here}/24`,
    'ip',
    'daddr',
    '!=',
    `${here}/24`,
    'masquerade',
  ]
  for (const args of [
    ['add', 'table', 'ip', bridge],
    ['add', 'chain', 'ip', bridge, 'out', '{ type nat hook postrouting priority 100; }'],
    out,
  ]) {
    await run('nft', args)
  }
}

export async function removeNetwork(): Promise<void> {
  await run('ip', ['link', 'delete', bridge]).catch(() => undefined)
  await run('nft', ['delete', 'table', 'ip', bridge]).catch(() => undefined)
}

type Making = {
  name: string
  /** The last number of the machine's address. */
  number: number
  debian: string
  folder: string
  log: string
  /** Environment variables for the commands. */
  env: Record<string, string>
  /** Writes files into the machine's folder before its first start. */
  prepare: (root: string) => Promise<void>
}

export async function startMachine(making: Making): Promise<Machine> {
  const { name, folder } = making
  const address = `10.77.0.${making.number}`
  const root = path.join(folder, name)
  await rm(root, { recursive: true, force: true })
  await run('cp', ['-a', making.debian, root])
  await making.prepare(root)
  await plug(name, address)
  const downloads = path.join(folder, 'downloads')
  await mkdir(path.join(downloads, 'partial'), { recursive: true })
  const log = createWriteStream(making.log, { flags: 'a' })
  await once(log, 'open')
  const container = spawn('sh', ['-c', boot(name, root, downloads)], { stdio: ['ignore', log, log] })
  const leader = await leaderOf(container)
  const inside = ['--target', leader, '--all', 'env', '-i']
  const env = { ...making.env, HOME: '/root', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' }
  const settings = Object.entries({ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env })
  const shell = [...inside, ...settings.map(([key, value]) => `${key}=${value}`), 'bash']
  const machine: Machine = {
    name,
    address,
    folder: root,
    type: async (commands) => {
      const typing = spawn('nsenter', [...shell, '-eEx'], { stdio: ['pipe', log, log] })
      typing.stdin.end(`${sameShell}\n${commands}\n`)
      const [code] = await once(typing, 'exit')
      if (code !== 0) throw new Error(`${name}: a command failed with ${code}; ${making.log} has what it said.`)
    },
    ask: (command) => output('nsenter', [...shell, '-c', `cd; ${command}`]),
    stop: async () => {
      const ended = once(container, 'exit')
      await machine.ask('systemctl poweroff').catch(() => undefined) // the connection breaks when the machine stops
      await Promise.race([ended, wait(60_000, null, { ref: false })])
      container.kill('SIGKILL')
      await unplug(name)
      log.end()
    },
  }
  await machine.ask('until systemctl is-system-running 2>&1 | grep -qE "running|degraded"; do sleep 0.2; done')
  return machine
}

/**
 * Shell lines that `type` puts before its commands, so that these begin with the folder and the `PATH` with which the previous call
 * of `type` ended.
 */
const sameShell = `trap 'echo "failed: $BASH_COMMAND" >&2' ERR
trap 'echo "cd $PWD; export PATH=$PATH" >~/.shell' EXIT
cd; if test -e .shell; then . ./.shell; fi`

/**
 * The shell script that boots a machine. The machine is killed when this process ends. The machine gets a control group of its own,
 * and `--keep-unit` is set, because no systemd of the host manages the machine.
 */
const boot = (name: string, root: string, downloads: string): string => `set -e
mkdir -p /sys/fs/cgroup/atelier-${name}
echo $$ > /sys/fs/cgroup/atelier-${name}/cgroup.procs
exec setpriv --pdeathsig KILL systemd-nspawn --quiet --boot --register=no --keep-unit --directory=${root} --machine=${name} \
  --network-namespace-path=/run/netns/${name} --resolv-conf=copy-host --bind=${downloads}:/var/cache/apt/archives`

async function plug(name: string, address: string): Promise<void> {
  await unplug(name)
  await run('ip', ['netns', 'add', name])
  const [inner, outer] = [`${name}-in`, `${name}-out`]
  await run('ip', ['link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name])
  await run('ip', ['link', 'set', outer, 'master', bridge, 'up'])
  for (const args of [
    ['link', 'set', 'lo', 'up'],
    ['address', 'add', `${address}/24`, 'dev', inner],
    ['link', 'set', inner, 'up'],
    ['route', 'add', 'default', 'via', here],
  ]) {
    await run('ip', ['-n', name, ...args])
  }
}

/**
 * Removes a machine's network namespace and link. After a killed rehearsal, the namespace's mount is already gone, so that only the
 * empty file on which it was mounted is left; this file is removed too.
 */
async function unplug(name: string): Promise<void> {
  await run('ip', ['link', 'delete', `${name}-out`]).catch(() => undefined)
  await run('ip', ['netns', 'delete', name]).catch(() => undefined)
  await rm(path.join('/run/netns', name), { force: true })
}

/** Returns the process id that the machine's first process has on the host; inside the machine, that process has the id 1. */
async function leaderOf(container: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const children = await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').catch(() => '')
    for (const pid of children.split(' ').filter(Boolean)) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      if (/^Name:\t(?:systemd|init)$/m.test(status) && /^NSpid:.*\t1$/m.test(status)) return pid
    }
    if (container.exitCode !== null) throw new Error('The machine did not start: its log has why.')
    await wait(100)
  }
  throw new Error('The machine has no first process after 20 s.')
}

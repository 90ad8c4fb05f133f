// Facts about the files in deploy/, checked by the programs that read them. Each check runs only where its program is installed.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { commandsOf, steps } from '../../../bench/rehearsal/page.ts'
import { readConfig } from '../../src/platform/config.ts'
import { settings } from '../../src/platform/settings.ts'

const deploy = path.resolve(import.meta.dirname, '../../../deploy')
const folder = mkdtempSync(path.join(tmpdir(), 'atelier-deploy-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = (name: string): string | undefined =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin'].map((place) => path.join(place, name)).find((file) => existsSync(file))
const read = (name: string): string => readFileSync(path.join(deploy, name), 'utf8')
/** Runs a program and returns its output if it failed, an empty string otherwise. */
function complaintsOf(file: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', cwd: folder })
  return status === 0 ? '' : `${stdout}${stderr}`
}

test('every setting that they name is one', () => {
  const known = new Set(Object.values(settings).map(({ name }) => name))
  const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((name) => path.extname(name) !== '')
  const named = files.flatMap((name) => read(name).match(/\bATELIER_\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('the page that leads through a deployment has commands that a shell can read, of files that are there', () => {
  const byHeading = commandsOf(readFileSync(path.join(deploy, '../docs/deploying.md'), 'utf8'))
  expect([...byHeading.keys()]).toEqual([...steps, 'Containers'])
  const commands = [...byHeading.values()].flat()
  const unread = commands.map((block) => spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' }).stderr)
  expect(unread.filter((said) => said !== '')).toEqual([])
  const named = commands.flatMap((block) => block.match(/(?<= )deploy\/[\w./-]+/g) ?? [])
  const made = 'deploy/.env'
  expect(named.filter((name) => name !== made && !existsSync(path.join(deploy, '..', name)))).toEqual([])
})

test('an upgrade by the page restarts workers first, and stops at a process that does not come up', () => {
  const commands = commandsOf(readFileSync(path.join(deploy, '../docs/deploying.md'), 'utf8')).get('Upgrade') ?? []
  const place = mkdtempSync(path.join(folder, 'upgrade-'))
  mkdirSync(path.join(place, 'atelier-0.3.1'))
  /** The units that are restarted if a command, of those that only an installed machine has, fails for some arguments. */
  const restarted = (failing: string): string[] => {
    const done = path.join(place, 'done')
    const fakes = ['systemctl', 'journalctl', 'curl', 'npm', 'atelier', 'ln'].map(
      (name) =>
        `${name}() { echo "${name} $*" >>${done}; echo Working on runs; case "${name} $*" in ${failing}) return 1 ;; esac; }`,
    )
    // The page runs `sh` for workers, which would not see the functions; `timeout` is the command before it.
    const text = [...fakes, 'timeout() { journalctl; }', ...commands].join('\n').replaceAll('/opt/', `${place}/`)
    writeFileSync(done, '')
    spawnSync('bash', { input: text, encoding: 'utf8' })
    return readFileSync(done, 'utf8').match(/(?<=^systemctl restart ).*/gm) ?? []
  }
  const workers = ['atelier-work@1', 'atelier-work@2']
  expect(restarted('nothing')).toEqual([...workers, 'atelier@3001', 'atelier@3002'])
  expect(restarted('*3001/readyz')).toEqual([...workers, 'atelier@3001'])
  expect(restarted('journalctl*')).toEqual(['atelier-work@1'])
  expect(restarted('"atelier migrate"')).toEqual([])
  expect(restarted('"npm run build"')).toEqual([])
})

/** Runs deploy/atelier up to the command itself, on a file with this content; returns what it prints, such as the environment. */
function environmentBy(content: string) {
  const file = path.join(folder, 'atelier.env')
  writeFileSync(file, content)
  const script = read('atelier')
    .replaceAll('/etc/atelier/atelier.env', file)
    .replace('$(id -u)', '0')
    .replace('cd /opt/atelier', 'cd /')
    .replace(/^exec setpriv .*$/m, 'exec env')
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: {} })
  return { status, lines: stdout.split('\n'), said: stderr.replace(file, 'its file') }
}

test('a command on an installed machine reads the settings as systemd does', () => {
  const { status, lines, said } = environmentBy(
    [
      ...[
        '# A=comment',
        '  ; B=comment',
        '',
        'no setting',
        'C=1',
        '  D = two words \t',
        'E=\'a "b" \'',
        '\tF=" c=d "\r',
      ],
      ...['G=', 'H=""', 'I=$HOME `id` #no comment', 'J=it\'s "so"', 'K=last'],
    ].join('\n'),
  )
  expect([status, said]).toEqual([0, ''])
  expect(lines.filter((line) => /^[A-K]=/.test(line)).toSorted()).toEqual([
    ...['C=1', 'D=two words', 'E=a "b" ', 'F= c=d ', 'G=', 'H=', 'I=$HOME `id` #no comment', 'J=it\'s "so"', 'K=last'],
  ])
})

test.each([
  ['A=1\n\nB=two \\\nwords', 3, 'ends with a backslash'],
  ['# comment \\\nB=1', 1, 'ends with a backslash'],
  ['A=C:\\data', 1, 'has a backslash'],
  ['A="two\nlines"', 1, 'has text after its quotes'],
  ["A='", 1, 'has text after its quotes'],
  ['A="one" two', 1, 'has text after its quotes'],
  ['A="one" "two"', 1, 'has text after its quotes'],
  ['export A=1', 1, 'has no name of a setting before the ='],
])('it refuses %j by the number of the line', (content, number, why) => {
  const { status, said } = environmentBy(content)
  expect([status, said]).toEqual([78, expect.stringContaining(`atelier: line ${number} of its file ${why}`)])
})

test('Kubernetes adds no variables of its own to the settings, and its ingress reaches no metrics', () => {
  const sample = read('kubernetes.yaml')
  const pods = sample.match(/^ *automountServiceAccountToken: false$/gm) ?? []
  expect(pods).toHaveLength(3)
  expect(sample.match(/^ *enableServiceLinks: false$/gm)).toHaveLength(pods.length)
  const settingsOf = /^kind: ConfigMap\n(?:.*\n)*?data:\n((?: {2}.*\n)+)/m.exec(sample)?.[1] ?? ''
  const pairs = [...settingsOf.matchAll(/^ {2}(\w+): "?([^"\n]*)"?$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  expect(readConfig(Object.fromEntries(pairs))).toMatchObject({ metricsPort: 9464, work: false })
})

test('the proxies let a file of the largest size that is taken by default through', () => {
  // Caddy takes MB for a million bytes, nginx m for 1,048,576.
  const units: Record<string, number> = { MB: 1e6, MiB: 2 ** 20, m: 2 ** 20 }
  const limits = {
    Caddyfile: /max_size (\d+)(\w+)/,
    'nginx.conf': /client_max_body_size (\d+)(\w+)/,
    'kubernetes.yaml': /proxy-body-size: (\d+)(\w+)/,
  }
  const found = Object.entries(limits).map(([name, limit]) => {
    const [, count, unit = ''] = limit.exec(read(name)) ?? []
    return [name, Number(count) * (units[unit] ?? Number.NaN) >= readConfig({}).fileLimit]
  })
  expect(found).toEqual(Object.keys(limits).map((name) => [name, true]))
})

/** What `atelier-watch@.service` does about the process on a port: how its question ended, and what it then asks systemd for. */
function watched(port: number): Promise<{ asked: number | null; done: string }> {
  const unit = read('systemd/atelier-watch@.service')
    .replaceAll(/\\\n */g, '')
    .replaceAll('%i', String(port))
  const lineOf = (name: string): string => new RegExp(`^${name}=\\+?(.*)$`, 'm').exec(unit)?.[1] ?? ''
  // One short wait in place of three long ones.
  const question = lineOf('ExecStart').replace('--max-time 10 --retry 2', '--max-time 0.3')
  return new Promise((resolve) => {
    spawn('sh', ['-c', question]).once('exit', (asked) => {
      const script = `systemctl() { echo "systemctl $*"; }; ${lineOf('ExecStopPost').replace('/bin/sh -c', 'eval').replace('exec ', '')}`
      const env = { EXIT_STATUS: String(asked) }
      resolve({ asked, done: spawnSync('sh', ['-c', script], { encoding: 'utf8', env }).stdout })
    })
  })
}

test.runIf(program('curl'))(
  'a process that takes connections and says nothing is killed; one without its database, or that does not listen, is not',
  async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    const away = http.createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void [silent.close(), away.close()])
    await Promise.all([silent, away].map((server) => once(server, 'listening')))
    const portOf = (server: Server): number => {
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : 0
    }
    const [hung, up] = [portOf(silent), portOf(away)]
    expect(await watched(hung)).toEqual({
      asked: 28,
      done: `atelier@${hung} does not answer: it is killed, and started anew\nsystemctl kill --signal=SIGKILL atelier@${hung}\n`,
    })
    expect(await watched(up)).toEqual({ asked: 0, done: '' })
    await new Promise((closed) => away.close(closed))
    expect(await watched(up)).toEqual({ asked: 7, done: '' })
    expect(read('systemd/atelier-watch@.service')).toMatch(/^SuccessExitStatus=7 /m)
  },
)

test('a process is watched from its start to its stop', () => {
  expect(read('systemd/atelier@.service')).toMatch(/^Wants=.* atelier-watch@%i\.timer$/m)
  expect(read('systemd/atelier-watch@.timer')).toMatch(/^PartOf=atelier@%i\.service$/m)
})

/** What each program reports about the files written for it; an empty string if it finds no fault. */
const readers: Record<string, (file: string) => string> = {
  'systemd-analyze': (systemd) => {
    const units = readdirSync(path.join(deploy, 'systemd')).map((name) => {
      const unit = path.join(folder, name.replace('@.', '@1.'))
      // The product's program is not installed on this machine, so /bin/true replaces it.
      writeFileSync(unit, read(`systemd/${name}`).replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true'))
      return unit
    })
    const loose = units.filter((name) => name.endsWith('.service')).filter((unit) => exposureOf(systemd, unit) > 1.5)
    return complaintsOf(systemd, 'verify', '--man=no', ...units) + loose.map((unit) => `${unit} is exposed`).join('')
  },
  nginx: (nginx) => {
    const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2']
    const refused = complaintsOf('openssl', ...made, '-subj', '/CN=atelier.example.org')
    const site = read('nginx.conf')
      .replaceAll(/ssl_certificate .*;/g, `ssl_certificate ${certificate};`)
      .replaceAll(/ssl_certificate_key .*;/g, `ssl_certificate_key ${key};`)
      .replaceAll(/listen (?:\[::\]:)?(?:80|443)/g, (listen) => listen.replace('443', '10443').replace(/80$/, '10080'))
    const whole = `pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off;\n${site}}\n`
    writeFileSync(path.join(folder, 'nginx.conf'), whole)
    return refused + complaintsOf(nginx, '-t', '-p', folder, '-c', path.join(folder, 'nginx.conf'))
  },
  caddy: (caddy) =>
    complaintsOf(caddy, 'validate', '--adapter', 'caddyfile', '--config', path.join(deploy, 'Caddyfile')),
  promtool: (promtool) =>
    complaintsOf(promtool, 'check', 'rules', path.join(deploy, 'prometheus/alerts.yaml')) +
    complaintsOf(promtool, 'test', 'rules', path.join(deploy, 'prometheus/alerts.test.yaml')),
}

/** The exposure score that systemd computes: from 0, the safest, to 10. */
function exposureOf(systemd: string, unit: string): number {
  const said = execFileSync(systemd, ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' })
  return Number(/exposure level for \S+: (\d+\.\d)/.exec(said)?.[1] ?? 10)
}

const installed = Object.keys(readers).flatMap((name) => {
  const file = program(name)
  return file ? [[name, file] as const] : []
})

test('the programs that read them, those that are installed here, are content', () => {
  expect(installed.map(([name, file]) => `${name}: ${readers[name]?.(file)}`)).toEqual(
    installed.map(([name]) => `${name}: `),
  )
})

// In charge of `npm run rehearsal [-- --folder some/folder] [--mirror url] [--authority file.pem]`: runs the commands of
// docs/deploying.md on a fresh Debian in a container with systemd, and restores the backup of this container in a second one. Needs
// root rights, debootstrap, systemd-container and nftables (apt). `--authority`: a CA certificate that the containers must trust
// because their network replaces TLS certificates.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { host, rehearse } from './rehearsal/main.ts'
import { run } from './rehearsal/run.ts'

const options = {
  folder: { type: 'string' },
  mirror: { type: 'string' },
  authority: { type: 'string' },
  inside: { type: 'boolean', default: false },
} as const
const { folder: given, mirror, authority, inside } = parseArgs({ options }).values
const needed = ['/usr/sbin/debootstrap', '/usr/bin/systemd-nspawn', '/usr/sbin/nft', '/usr/sbin/ip', '/usr/bin/openssl']

if (inside && given !== undefined) await rehearse({ folder: given, mirror, authority })
else await prepare()

async function prepare(): Promise<void> {
  const missing = needed.filter((file) => !existsSync(file))
  if (process.getuid?.() !== 0 || missing.length > 0) {
    console.error(
      'The rehearsal starts machines, for which it has to be root and needs\n' +
        '  apt install debootstrap systemd-container nftables iproute2 openssl\n' +
        `Missing: ${missing.join(', ') || 'none of these'}.`,
    )
    process.exitCode = 1
    return
  }
  const folder = path.resolve(given ?? (await mkdtemp(path.join(tmpdir(), 'atelier-rehearsal-'))))
  for (const name of ['certificate', 'carried']) await rm(path.join(folder, name), { recursive: true, force: true })
  await mkdir(path.join(folder, 'certificate'), { recursive: true })
  const hosts = path.join(folder, 'hosts')
  await writeFile(hosts, '127.0.0.1 localhost\n')
  const certificate = await makeCertificate(path.join(folder, 'certificate'))

  // The rehearsal runs in its own mount namespace, so that this machine's /etc/hosts and control groups stay unchanged.
  const again = [process.execPath, import.meta.filename, ...process.argv.slice(2), '--folder', folder, '--inside']
  const mounted = ['sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hosts, ...again]
  const child = spawn('unshare', ['--mount', '--propagation', 'private', ...mounted], {
    stdio: 'inherit',
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
  })
  const [code] = await once(child, 'exit')
  if (given === undefined && code === 0) await rm(folder, { recursive: true, force: true })
  else console.log(`The machines and their logs are in ${folder}.`)
  process.exitCode = code ?? 1
}

/** Makes a TLS certificate for `host`, in files named as in the sample configuration of nginx; returns the certificate's path. */
async function makeCertificate(folder: string): Promise<string> {
  const [key, certificate] = [path.join(folder, 'privkey.pem'), path.join(folder, 'fullchain.pem')]
  const name = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...name,
    '-keyout',
    key,
    '-out',
    certificate,
  ])
  return certificate
}

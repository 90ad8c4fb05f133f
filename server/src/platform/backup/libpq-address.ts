// In charge of the address of a PostgreSQL database as its own programs (libpq) read it, made from the one that the service reads with
// node-postgres. Pure functions.

/** `env`: the password, because every user of the machine sees the arguments of a program. */
export type LibpqAddress = { address: string; env: { PGPASSWORD?: string } }

/**
 * The parameters that are handed on. libpq refuses an address with a parameter that it does not know, and node-postgres ignores those:
 * addresses that hosts of databases hand out often have parameters for other drivers. Left out are those that would name another
 * database than the service uses (`dbname`, `service`), and the time limits that the service sets for its own statements.
 */
const handedOn = new Set([
  ...['user', 'host', 'hostaddr', 'port', 'passfile', 'options', 'application_name', 'fallback_application_name'],
  ...['client_encoding', 'connect_timeout', 'tcp_user_timeout', 'target_session_attrs', 'load_balance_hosts'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'channel_binding', 'require_auth'],
  ...[
    'sslcert',
    'sslkey',
    'sslpassword',
    'sslrootcert',
    'sslcrl',
    'sslcrldir',
    'sslsni',
    'sslcertmode',
    'sslcompression',
  ],
  ...['ssl_min_protocol_version', 'ssl_max_protocol_version', 'requirepeer'],
  ...['gssencmode', 'gssdelegation', 'gsslib', 'krbsrvname'],
])

const modesOfLibpq = new Set(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'])

/** Translates an address; `environment` may have a `PGSSLMODE`, which both read where the address says nothing of TLS. */
export function libpqAddress(url: string, environment: NodeJS.ProcessEnv = {}): LibpqAddress {
  const address = new URL(url)
  // Of a parameter that occurs twice, the last counts for both.
  const given = new Map(address.searchParams)
  const password = given.get('password') || decodeURIComponent(address.password)
  const mode = modeOf(given, environment.PGSSLMODE)
  const parameters = [...given].filter(
    ([name]) => handedOn.has(name) && !(name === 'sslrootcert' && isUnverified(given)),
  )
  if (mode !== null) parameters.push(['sslmode', mode])
  // Before PostgreSQL 17, libpq does not know the parameter, and servers do not take what it asks for.
  if (given.get('sslnegotiation') === 'direct') parameters.push(['sslnegotiation', 'direct'])
  address.password = ''
  // `URLSearchParams` would write a space as `+`, which libpq takes for a plus sign.
  address.search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return { address: address.href, env: password === '' ? {} : { PGPASSWORD: password } }
}

type Given = ReadonlyMap<string, string>

/**
 * Returns libpq's mode for what node-postgres does; null if the address says nothing of TLS. A mode that both know is handed on, though
 * node-postgres also checks the server's certificate in `prefer` and `require`. libpq cannot do that: it trusts no authorities by
 * default.
 */
function modeOf(given: Given, ofEnvironment: string | undefined): string | null {
  const [mode, ssl] = [given.get('sslmode'), given.get('ssl')]
  if (mode) return modesOfLibpq.has(mode) ? mode : 'require'
  if (['sslcert', 'sslkey', 'sslrootcert'].some((name) => given.get(name))) return 'require'
  if (ssl) return ssl === '0' || ssl === 'false' ? 'disable' : 'require'
  if (given.get('sslnegotiation') === 'direct') return 'require'
  return ofEnvironment === 'no-verify' ? 'require' : null
}

/** Whether the certificate of the server is not checked; libpq would check it in the mode `require` against `sslrootcert`. */
const isUnverified = (given: Given): boolean => given.get('sslmode') === 'no-verify'

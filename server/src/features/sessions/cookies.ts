// In charge of two cookies: one identifies a session; the other one ties a sign-in at the issuer to the browser that began the
// sign-in.
import type { Config } from '../../platform/config.ts'

type Cookie = {
  /** Returns the value of this cookie from the Cookie header of a request; null if the header does not contain the cookie. */
  read(header: string | undefined): string | null
  /** Returns a Set-Cookie header that sets the cookie to this value. */
  write(value: string): string
  clear(): string
}
/** The headers by which a request says at which address its page was opened. Browsers send no `Origin` with GET requests. */
type Said = { origin?: string | undefined; host?: string | undefined }
export type Cookies = {
  /** Returns the cookie for the session of the page that sent the request. */
  session(said: Said): Cookie
  signIn: Cookie
}

/** The longest time that a session can last, in seconds. */
export const sessionSeconds = 30 * 86_400
export const signInSeconds = 600

export function cookiesOf({ publicUrl, signInLinks }: Pick<Config, 'publicUrl' | 'signInLinks'>): Cookies {
  const secure = publicUrl?.startsWith('https:') ?? false
  const named = { name: 'atelier-session', sameSite: 'Strict', seconds: sessionSeconds } as const
  const [session, plain] = [cookie({ ...named, secure }), cookie({ ...named, secure: false })]
  const publicHost = publicUrl === null ? null : new URL(publicUrl).host
  return {
    // Links that work only on this machine lead to the process's own address, without TLS, over which browsers may not accept
    // secure cookies. A plain cookie is never read on the public host, where anybody on the network could have set it.
    session({ origin, host }) {
      if (!secure || signInLinks !== 'loopback') return session
      if (origin !== undefined) return origin.startsWith('http:') ? plain : session
      // Without an origin, a host other than the public one is the process's own address, or is set by a proxy.
      if (host?.toLowerCase() === publicHost) return session
      return { ...session, read: (header) => session.read(header) ?? plain.read(header) }
    },
    // `Lax`, since browsers would not send a `Strict` cookie when the issuer redirects them back to this service.
    signIn: cookie({ name: 'atelier-sign-in', secure, sameSite: 'Lax', seconds: signInSeconds }),
  }
}

type Kind = { name: string; secure: boolean; sameSite: 'Strict' | 'Lax'; seconds: number }

function cookie({ name: bareName, secure, sameSite, seconds }: Kind): Cookie {
  // Because of this prefix, browsers accept the cookie only from this host, and only over https.
  const name = secure ? `__Host-${bareName}` : bareName
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
  return {
    read: (header) => {
      const pairs = (header ?? '').split(';').map((pair) => pair.trim())
      const found = pairs.find((pair) => pair.startsWith(`${name}=`))
      return found === undefined ? null : found.slice(name.length + 1)
    },
    write: (value) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}

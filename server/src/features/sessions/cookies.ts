// In charge of the two cookies: the one of the session, and the one that ties a sign-in at the issuer to this browser.
import type { Config } from '../../platform/config.ts'

type Cookie = {
  /** The value of the cookie in a request's Cookie header; null if it is missing. */
  read(header: string | undefined): string | null
  /** The value of a Set-Cookie header that sets the cookie. */
  write(value: string): string
  clear(): string
}
export type Cookies = { session: Cookie; signIn: Cookie }

/** The longest duration of a session; a session may be ended sooner. */
export const sessionSeconds = 30 * 86_400
export const signInSeconds = 600

export function cookiesOf({ publicUrl }: Pick<Config, 'publicUrl'>): Cookies {
  const secure = publicUrl?.startsWith('https:') ?? false
  return {
    session: cookie({ name: 'atelier-session', secure, sameSite: 'Strict', seconds: sessionSeconds }),
    // Lax, since the cookie has to be sent when the issuer redirects the browser back.
    signIn: cookie({ name: 'atelier-sign-in', secure, sameSite: 'Lax', seconds: signInSeconds }),
  }
}

type Kind = { name: string; secure: boolean; sameSite: 'Strict' | 'Lax'; seconds: number }

function cookie({ name: bareName, secure, sameSite, seconds }: Kind): Cookie {
  // With this prefix browsers accept the cookie only from this host, and only over https.
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

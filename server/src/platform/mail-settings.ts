// In charge of parsing the mail settings: the SMTP server and the sender.

export type SmtpServer = {
  host: string
  port: number
  /** `implicit`: TLS from the first byte. `starttls`: the connection changes to TLS before login and mail. `none`: no TLS. */
  tls: 'implicit' | 'starttls' | 'none'
  auth: { user: string; pass: string } | null
}

export type MailSender = { name: string; address: string }

const refuse = (why: string): never => {
  throw new Error(why)
}
const form = 'must be such as smtp://name:password@mail.example.org:587 or smtps://mail.example.org'

export function smtpServer(text: string): SmtpServer {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return refuse(form)
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') return refuse(`${form}, with nothing behind the host`)
  const isImplicit = url.protocol === 'smtps:'
  const asked = [...url.searchParams]
  const isPlain = asked.length === 1 && url.search === '?tls=none'
  if ((asked.length > 0 && !isPlain) || (isPlain && isImplicit))
    return refuse('takes only ?tls=none, behind an smtp: address')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  if ((user === '') !== (pass === '')) return refuse('must have a name and a password, or neither')
  if (isPlain && user !== '' && !/^(?:127\.[\d.]+|::1|localhost)$/.test(host))
    return refuse('must not send a password without TLS to another machine: leave out ?tls=none')
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : isPlain ? 'none' : 'starttls',
    auth: user === '' ? null : { user, pass },
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse('must have its name and password percent-encoded')
  }
}

/** The pattern of one mail address, without blanks and quotes. */
const address = String.raw`[^\s<>"(),:;@\\\p{Cc}]+@[^\s<>"(),:;@\\\p{Cc}]+`

export const isMailAddress = (text: string): boolean => text.length <= 254 && new RegExp(`^${address}$`, 'u').test(text)

export function mailSender(text: string): MailSender {
  const [, name = '', inBrackets, alone] =
    new RegExp(String.raw`^(?:"?([^<>"\p{Cc}]*?)"?\s*<(${address})>|(${address}))$`, 'u').exec(text) ?? []
  const found = inBrackets ?? alone
  if (found === undefined || !isMailAddress(found))
    return refuse('must be one address such as atelier@example.org or Atelier <atelier@example.org>')
  return { name: name.trim(), address: found }
}

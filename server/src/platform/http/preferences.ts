// In charge of the Prefer header (RFC 7240): `return=minimal` is supported; other preferences are ignored.

/** Whether the caller wants a response with only the URL of the record. The first of several `return` preferences counts. */
export function wantsMinimal(header: string | string[] | undefined): boolean {
  const preferences = [header ?? []].flat().flatMap((line) => line.split(','))
  const first = preferences
    .map((one) => one.split(';')[0]?.trim().toLowerCase())
    .find((one) => one?.startsWith('return'))
  return /^return\s*=\s*"?minimal"?$/.test(first ?? '')
}

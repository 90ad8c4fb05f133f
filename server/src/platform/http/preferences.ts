// In charge of Prefer: what a caller would like of an answer (RFC 7240). What it names otherwise is passed over.

/** Whether the caller wants to know where the record is rather than all of it. The first of two wins. */
export function wantsMinimal(header: string | string[] | undefined): boolean {
  const preferences = [header ?? []].flat().flatMap((line) => line.split(','))
  const first = preferences
    .map((one) => one.split(';')[0]?.trim().toLowerCase())
    .find((one) => one?.startsWith('return'))
  return /^return\s*=\s*"?minimal"?$/.test(first ?? '')
}

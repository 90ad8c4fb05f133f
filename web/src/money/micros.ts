// In charge of amounts as users write them, in units of the currency, and as the service has them, in whole millionths. Pure.

/** An amount that was written: in millionths, or why it is none. `isPlain`: whether it is written as the service would write it. */
export type Written = { micros: number; isPlain: boolean } | { refusal: string }

const most = 1_000_000_000
const spaces = String.raw`[ \u00a0\u202f'’]`
/** Each form that an amount may have. The first group is its whole part with separators, the second one its decimals. */
const forms = [
  /^(\d+)(?:\.(\d*))?$/,
  // 1,000 and 1,250.50: a comma before three digits separates thousands, but for 0,125.
  /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d*))?$/,
  // 1.000.000 and 1.250,50.
  /^([1-9]\d{0,2}(?:\.\d{3}){2,})$/,
  /^([1-9]\d{0,2}(?:\.\d{3})+),(\d*)$/,
  new RegExp(`^([1-9]\\d{0,2}(?:${spaces}\\d{3})+)(?:[.,](\\d*))?$`),
  /^(\d+),(\d*)$/,
] as const

/** Reads an amount in the ways in which people write one, such as `1000`, `12.5`, `1,250.50`, `1.250,50`, `1 250` and `12,5`. */
export function readAmount(text: string): Written {
  const written = text.trim()
  const found = forms.map((form) => form.exec(written)).find((match) => match !== null)
  if (!found) {
    const refusal = /^[-−–]\s*\d/.test(written) ? 'An amount is 0 or more.' : 'Write an amount such as 1000 or 12.50.'
    return { refusal }
  }
  const [, whole = '', decimals = ''] = found
  if (decimals.length > 6) return { refusal: 'An amount has six decimals at most.' }
  const micros = Number(whole.replaceAll(/\D/g, '')) * 1_000_000 + Number(decimals.padEnd(6, '0'))
  if (micros > most * 1_000_000) return { refusal: `An amount is ${most} at most.` }
  return { micros, isPlain: forms[0].test(written) }
}

/** The amount that was written, in millionths; null if none was. */
export function microsOf(text: string): number | null {
  const written = readAmount(text)
  return 'refusal' in written ? null : written.micros
}

/** The text of a field for an amount that there may be none of. */
export const amountText = (micros: number | null): string => (micros === null ? '' : String(micros / 1_000_000))

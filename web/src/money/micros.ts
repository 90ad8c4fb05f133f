// In charge of amounts as fields show them, in units of the currency, and as the service has them, in millionths. Pure.

export const microsOf = (amount: string | number): number => Math.round(Number(amount) * 1_000_000)

/** The text of a field for an amount that there may be none of. */
export const amountText = (micros: number | null): string => (micros === null ? '' : String(micros / 1_000_000))
export const amountOf = (text: string): number | null => (text.trim() === '' ? null : microsOf(text))

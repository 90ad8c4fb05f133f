// In charge of the form of a filter: a group of rules and of further groups. Pure.

export type Group = { combinator?: string; rules: unknown[]; not?: boolean }

export const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && 'rules' in value && Array.isArray(value.rules)

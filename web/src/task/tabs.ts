// In charge of the tabs of a task's page and of their names in the fragment of its address. Pure.

const tabs = ['details', 'creatives', 'runs', 'comments', 'activity'] as const
export type Tab = (typeof tabs)[number]

export const isTab = (name: unknown): name is Tab => tabs.some((tab) => tab === name)

/** The tab that a fragment names, with or without its `#`; undefined if it names none. */
export function namedTab(hash: string): Tab | undefined {
  const [name] = hash.replace(/^#/, '').split('/')
  return isTab(name) ? name : undefined
}

/** The tab to show for a fragment. */
export const tabOf = (hash: string): Tab => namedTab(hash) ?? 'details'

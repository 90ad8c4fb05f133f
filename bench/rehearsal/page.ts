// In charge of reading docs/deploying.md as an operator does: which commands are below which heading.

/** The headings of the page that a rehearsal follows: to install, back up, restore on another machine, upgrade, and go back. */
export const steps = [
  'Programs',
  'PostgreSQL',
  'Settings',
  'Processes',
  'The way in',
  'Proxy',
  'Backup',
  'On another machine',
  'Upgrade',
  'The way back',
] as const

/** Returns the commands below each heading, by heading: one text for each `sh` block, in the order of the page. */
export function commandsOf(page: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let heading = ''
  let block: string[] | null = null
  for (const line of page.split('\n')) {
    if (block === null) {
      const title = /^#{2,3} (.+)$/.exec(line)?.[1]
      if (title !== undefined) heading = title
      if (line === '```sh') block = []
    } else if (line === '```') {
      found.set(heading, [...(found.get(heading) ?? []), block.join('\n')])
      block = null
    } else block.push(line)
  }
  return found
}

/** Returns the commands below these headings. Throws if a heading has no commands, since then the page has changed. */
export function commandsBelow(page: string, headings: readonly (typeof steps)[number][]): string[] {
  const all = commandsOf(page)
  return headings.flatMap((heading) => {
    const blocks = all.get(heading)
    if (blocks === undefined) throw new Error(`docs/deploying.md has no commands below “${heading}”.`)
    return blocks
  })
}

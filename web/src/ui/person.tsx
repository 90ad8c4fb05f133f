// In charge of showing a user as one or two letters where there is little space; the hint shows the name.
import { hueOf, initialsOf } from '../lib/people.ts'
import type { Person } from '../lib/types.ts'

type Props = { person: Person | undefined; id: string; part: string; size?: 'lg' }

export function Avatar({ person, id, part, size }: Props) {
  const name = person?.name ?? 'Unknown person'
  const words = `${part}: ${name}`
  return (
    <span
      className="avatar"
      role="img"
      aria-label={words}
      data-hint={words}
      data-hue={hueOf(id)}
      data-size={size}
      data-former={person?.active === false || undefined}
    >
      {initialsOf(person?.name ?? null)}
    </span>
  )
}

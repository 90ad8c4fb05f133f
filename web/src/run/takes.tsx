// In charge of the strip that shows the takes of a node or item. Users can compare a take with the one that the run uses now, pin a
// take, or return to a take.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import type { Take } from '@atelier/contract/runs.ts'
import { Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Picture } from '../canvas/picture.tsx'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { showAnswer } from '../lib/show-answer.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError } from '../ui/toasts.tsx'
import { openViewer, type Viewed } from '../ui/viewer-store.ts'
import { type Run, takesQuery } from './queries.ts'
import type { Source } from './roll-sources.ts'
import { takeName, takesInOrder } from './take-order.ts'
import './takes.css'
import { creditWords } from '../canvas/words.ts'
import { cellText } from './shapes.ts'
import { canBeViewed, viewedFile } from './viewed.ts'

type Props = {
  run: Run
  source: Source
  /** The name of what the takes belong to, for example `option 2`. */
  of: string
  /** Whether this name is shown before the takes. */
  isTitled?: boolean
  /** The reason why no take can be chosen now; null if takes can be chosen. */
  refusal: string | null
  mayPin: boolean
  choose: (take: string) => Promise<unknown>
}

/**
 * Renders nothing if there is only one take. In the first generation of a run, there cannot be more, so no request is sent. Each
 * source needs its own React `key`: old takes stay visible while new ones are loading, and must not be shown for another source.
 */
export function TakeStrip({ run, source, of, isTitled = false, refusal, mayPin, choose }: Props) {
  const query = takesQuery(run, source)
  const takes = takesInOrder(useQuery({ ...query, enabled: run.generation > 1 }).data?.takes ?? [])
  const client = useQueryClient()
  const now = useNow()
  if (takes.length < 2) return null
  const pin = async ({ id, pinned }: Take) => {
    try {
      const params = { run_id: run.id, node: source.node_id, take: id }
      const asked = call('patchRunTake', { params, query: itemOf(source), body: { pinned: !pinned } })
      await showAnswer(client, query.queryKey, asked, (answer) => client.setQueryData(query.queryKey, answer))
    } catch (error) {
      tellError(error, pinned ? 'Not let go' : 'Not pinned')
    }
  }
  const factsOf = (take: Take): [string, string][] => [
    ['Take', takeName(takes, take)],
    ['Made', agoWords(take.made_at, now)],
    ['Cost', creditWords(take.credits)],
  ]
  const blocked = (take: Take) => (take.outdated ? 'What it was made of has changed since.' : refusal)
  const pictures = takes.flatMap((take): { take: Take; viewed: Viewed }[] => {
    const file = pictureOf(take)
    if (!file) return []
    const act = { label: 'Go back to this take', run: () => void choose(take.id) }
    const isOpen = !take.current && blocked(take) === null
    const viewed = { ...viewedFile(file, factsOf(take)), name: takeName(takes, take), ...(isOpen ? { act } : {}) }
    return [{ take, viewed }]
  })
  const look = (take: Take) => {
    const at = pictures.findIndex((one) => one.take.id === take.id)
    const present = pictures.findIndex((one) => one.take.current)
    const beside = present >= 0 && present !== at ? { beside: present } : {}
    openViewer(
      pictures.map(({ viewed }) => viewed),
      at,
      beside,
    )
  }
  return (
    <ul className="takes" aria-label={`Takes of ${of}`}>
      {isTitled ? <li className="takes-of hint">Takes of {of}</li> : null}
      {takes.map((take) => (
        <li key={take.id}>
          <TakeMenu
            take={take}
            name={takeName(takes, take)}
            of={of}
            about={`${agoWords(take.made_at, now)} · ${creditWords(take.credits)}`}
            blocked={blocked(take)}
            choose={() => void choose(take.id)}
            look={pictureOf(take) ? () => look(take) : null}
            pin={mayPin ? () => void pin(take) : null}
          />
        </li>
      ))}
    </ul>
  )
}

type MenuProps = {
  take: Take
  name: string
  of: string
  about: string
  blocked: string | null
  choose: () => void
  /** Shows the take in the viewer. Null if the take has no picture or film. */
  look: (() => void) | null
  pin: (() => void) | null
}

function TakeMenu({ take, name, of, about, blocked, choose, look, pin }: MenuProps) {
  const marks = `${take.current ? ', in use' : ''}${take.pinned ? ', pinned' : ''}`
  return (
    <Menu position="top" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className="take"
          aria-label={`${name} of ${of}${marks}`}
          title={`${name}${marks}`}
          data-current={take.current || undefined}
        >
          <TakeValue take={take} />
          {take.pinned ? (
            <span className="take-pin">
              <Icon name="bookmark" size={12} />
            </span>
          ) : null}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {about}
        </Menu.Label>
        {look ? null : <p className="take-words">{wordsOf(take)}</p>}
        {take.current ? null : (
          <Menu.Item leftSection={<Icon name="restore" size={14} />} disabled={blocked !== null} onClick={choose}>
            {blocked ?? 'Go back to this take'}
          </Menu.Item>
        )}
        {look ? (
          <Menu.Item leftSection={<Icon name="look" size={14} />} onClick={look}>
            {take.current ? 'See it large' : 'Compare with the one in use'}
          </Menu.Item>
        ) : null}
        {pin ? (
          <Menu.Item leftSection={<Icon name="bookmark" size={14} />} onClick={pin}>
            {take.pinned ? 'Let it go' : 'Pin it: it is kept before others'}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

const itemOf = ({ item }: Source) => (item === null ? {} : { item })
const pictureOf = (take: Take) => filesIn(take.outputs ?? {}).find(canBeViewed)
const wordsOf = (take: Take): string =>
  take.outputs === null ? 'Too long to be shown here.' : Object.values(take.outputs).map(cellText).join(' · ')

function TakeValue({ take }: { take: Take }) {
  const file = pictureOf(take)
  if (file) return <Picture file={file} alt="" small />
  return <span className="take-text">{wordsOf(take).slice(0, 60)}</span>
}

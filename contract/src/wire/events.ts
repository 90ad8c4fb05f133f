// In charge of the wire shape of change events: each event names the kind and the id of a changed record, and clients then read
// that record again.
import Type from 'typebox'
import { Closed } from './schema.ts'

export const changeKinds = [
  'task',
  'creative',
  'comment',
  'graph',
  'run',
  'automation',
  'person',
  'product',
  'notice',
  'template',
  'money',
  'token',
] as const
export type ChangeKind = (typeof changeKinds)[number]
export type Change = { kind: ChangeKind; id: string }

/**
 * The name of the event that carries changes of a kind. Pages of version 0.2.0 that are still open after an upgrade stop following
 * all changes when a `changed` event has a kind that they do not know, but they ignore an event whose name they do not know. So the
 * event `changed` has the kinds of 0.2.0 only.
 */
export function eventOf(kind: ChangeKind): ChangeEvent {
  switch (kind) {
    case 'notice':
      return 'noticed'
    case 'template':
    case 'money':
    case 'token':
      return `${kind}_changed`
    default:
      return 'changed'
  }
}
export type ChangeEvent = 'changed' | 'noticed' | 'template_changed' | 'money_changed' | 'token_changed'

export const Events = Type.String({
  description:
    'Server-sent events (`text/event-stream`). `changed`: `{"changes":[{"kind":"run","id":"…"}]}`, at most five a second for one record. `noticed`, `template_changed`, `money_changed` and `token_changed`: the same for changes of the kinds `notice`, `template`, `money` and `token`. `missed`: changes may have gone by unseen; read again what is shown. Of creatives that change because their task does, the task is told; of notices, the person whose they are; of budgets and the sum above which starts need an approval, `workspace`; of approvals, `approvals`. A comment every 15 seconds shows that the connection lives; it ends with the token. Ignore events and kinds that you do not know: later versions may add some.',
})

export const EventsQuery = Closed({
  age_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400_000,
      description:
        'The age of what the client shows, in ms. The stream then begins with the changes since; with `missed` if the process no longer knows them, which it does for half a minute at most.',
    }),
  ),
})

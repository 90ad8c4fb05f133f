// In charge of what a screen reader is told of an act on the board that shows only to the eye, such as selecting a card. Acts that a
// message tells are not told here, since the message is spoken too.
import { createStore, useStore } from '../lib/store.ts'

/** `count`: how often something was said. The same words are thereby said again. */
type Said = { words: string; count: number }
const said = createStore<Said>({ words: '', count: 0 })

export const say = (words: string): void => said.set({ words, count: said.get().count + 1 })
export const useSaid = (): Said => useStore(said, (value) => value)

export const selectedWords = (count: number): string =>
  count === 0 ? 'No card selected' : `${count} ${count === 1 ? 'card' : 'cards'} selected`

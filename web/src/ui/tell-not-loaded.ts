// In charge of the message that a part which opens over any page could not be loaded, and of what helps.
import { isReachable } from '../lib/reachable.ts'
import { goneLabel, goneWords } from './gone-scripts.ts'
import { tell, tellOffer } from './toasts.tsx'

/**
 * `what` names the part, as in “the viewer”; `cutOff` is what is said without a connection. The page is not reloaded by itself, because
 * it may have changes that are not saved.
 */
export async function tellNotLoaded(what: string, cutOff: string): Promise<void> {
  if (await isReachable())
    tellOffer(goneWords(what), { label: goneLabel, act: () => location.reload() }, `not loaded: ${what}`)
  else tell(`${cutOff} Load the page again once you are back.`)
}

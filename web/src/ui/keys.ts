// In charge of telling keys that are meant as commands from keys that an input method uses, and from keys that are held down. Pure.

/** The members of React's keyboard event that are needed here. */
type Key = { repeat: boolean; nativeEvent: { isComposing: boolean; keyCode: number } }

/** The code of every key that an input method uses. Safari says it even of the Enter that ends a composition. */
const usedByInputMethod = 229

/**
 * Whether a key such as Enter or Escape is meant as a command. It is not while a text is composed, as in Japanese, where Enter takes
 * a suggestion and Escape drops it, and not if it repeats because it is held down.
 */
export const isCommand = ({ repeat, nativeEvent }: Key): boolean =>
  !repeat && !nativeEvent.isComposing && nativeEvent.keyCode !== usedByInputMethod

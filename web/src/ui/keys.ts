// In charge of telling keys that are meant as commands from keys that an input method uses, and from keys that are held down. Pure.

/** The members of React's keyboard event that are needed here. */
type Composed = { nativeEvent: { isComposing: boolean; keyCode: number } }
type Key = Composed & { repeat: boolean }

/** The code of every key that an input method uses. Safari says it even of the Enter that ends a composition. */
const usedByInputMethod = 229

/** Whether an input method uses the key: the arrow keys, for example, then choose among its suggestions. */
export const isComposed = ({ nativeEvent }: Composed): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === usedByInputMethod

/**
 * Whether a key such as Enter or Escape is meant as a command. It is not while a text is composed, as in Japanese, where Enter takes
 * a suggestion and Escape drops it, and not if it repeats because it is held down.
 */
export const isCommand = (key: Key): boolean => !key.repeat && !isComposed(key)

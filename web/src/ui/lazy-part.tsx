// In charge of parts of a page whose scripts are loaded when the part is first shown.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Failed, Loading } from './states.tsx'

type Options<Props> = { loading?: ReactNode; failedIn?: (content: ReactNode, props: Props) => ReactNode }

/**
 * Makes a component for a part of a page. `load` loads it when it is first shown, or when `preload` is called, which never fails. If
 * it cannot be loaded, for example without a connection, it says so in its own place and offers to try again; the rest of the page,
 * which may have unsaved changes, stays. `what` names the part, as in “the inspector”. `loading`: what is shown until it is loaded.
 * `failedIn` puts a dialog, for example, around the error.
 */
export function lazyPart<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
  { loading: waiting = <Loading what={what} />, failedIn = (content) => content }: Options<Props> = {},
) {
  let loaded: ComponentType<Props> | null = null
  let loading: Promise<unknown> | null = null
  /** Resolves to whether the part is loaded. */
  const preload = async (): Promise<boolean> => {
    loading ??= load()
      .then((part) => {
        loaded = part
      })
      .catch(() => undefined)
      .finally(() => {
        loading = null
      })
    await loading
    return loaded !== null
  }
  function Part(props: Props) {
    const [isFailed, setIsFailed] = useState(false)
    const [, setIsLoaded] = useState(false)
    const start = () => {
      setIsFailed(false)
      void preload().then((isLoaded) => (isLoaded ? setIsLoaded(true) : setIsFailed(true)))
    }
    useEffect(() => {
      if (loaded === null) start()
    }, [])
    const Loaded = loaded
    if (Loaded) return <Loaded {...props} />
    const error = new Error(`It was not possible to load ${what}. Check your connection.`)
    return isFailed ? failedIn(<Failed error={error} retry={start} />, props) : waiting
  }
  return Object.assign(Part, { preload })
}

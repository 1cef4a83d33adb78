import { createContext, useContext } from 'react'
import { en, type Messages } from './en.ts'

/** The language of the page. */
export const MessagesContext = createContext<Messages>(en)

/** What the page says, in the visitor's language. */
export function useMessages(): Messages {
  return useContext(MessagesContext)
}

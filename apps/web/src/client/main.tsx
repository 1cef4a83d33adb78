import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './design/tokens.css'
import './design/base.css'
import { en } from './messages/en.ts'
import { MessagesContext } from './messages/use-messages.ts'
import { createAppRouter } from './routes.tsx'
import { WalletProvider } from './wallet/wallet.tsx'

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 2_000, retry: 1, refetchOnWindowFocus: false } },
})
const router = createAppRouter()

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <MessagesContext value={en}>
        <WalletProvider>
          <RouterProvider router={router} />
        </WalletProvider>
      </MessagesContext>
    </QueryClientProvider>
  </StrictMode>,
)

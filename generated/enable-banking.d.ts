// Generated from providers/banking/enable-banking.yml by `npm run generate`. Never edited by hand.

export interface paths {
    "/application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The application that the token names */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aspsps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Banks of a country */
        get: operations["listBanks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Where the person consents */
        post: operations["startAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session in place of the code of the redirect */
        post: operations["authorizeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends the session and the consent at the bank */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/details": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /** What the bank tells about an account */
        get: operations["getAccountDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /** Balances of an account */
        get: operations["getAccountBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /** Movements of an account, in pages */
        get: operations["getAccountTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Refusal: {
            code?: number;
            error?: string;
            message: string;
        };
        /** @enum {string} */
        PsuType: "business" | "personal";
        ListedBank: {
            name: string;
            country: string;
            /** @description In seconds. */
            maximum_consent_validity: number;
        };
        AuthorizationRequest: {
            access: {
                /** Format: date-time */
                valid_until: string;
                balances?: boolean;
                transactions?: boolean;
            };
            aspsp: {
                name: string;
                country: string;
            };
            state: string;
            /** Format: uri */
            redirect_url: string;
            psu_type?: components["schemas"]["PsuType"];
            language?: string;
        };
        Session: {
            /** Format: uuid */
            session_id: string;
            accounts: components["schemas"]["Account"][];
            access?: {
                /** Format: date-time */
                valid_until?: string;
            };
        };
        Account: {
            /**
             * Format: uuid
             * @description Absent when the account cannot be read, such as a closed one.
             */
            uid?: string;
            account_id?: {
                iban?: string;
            };
            /** @description The holder or the holders. */
            name?: string;
            details?: string;
            product?: string;
            currency: string;
            /** @enum {string} */
            cash_account_type?: "CACC" | "CARD" | "CASH" | "LOAN" | "OTHR" | "SVGS";
        };
        Amount: {
            amount: string;
            currency: string;
        };
        Balance: {
            name?: string;
            /** @description ISO 20022, such as CLBD for the booked balance at the end of a day, ITBD for that of now. */
            balance_type: string;
            balance_amount: components["schemas"]["Amount"];
        };
        /** @enum {string} */
        TransactionStatus: "BOOK" | "CNCL" | "HOLD" | "OTHR" | "PDNG" | "RJCT" | "SCHD";
        NamedParty: {
            name?: string;
        };
        NamedAccount: {
            iban?: string;
        };
        Transaction: {
            transaction_amount: components["schemas"]["Amount"];
            /** @enum {string} */
            credit_debit_indicator: "CRDT" | "DBIT";
            status: components["schemas"]["TransactionStatus"];
            /** Format: date */
            booking_date?: string;
            /** Format: date */
            value_date?: string;
            /** Format: date */
            transaction_date?: string;
            creditor?: components["schemas"]["NamedParty"];
            creditor_account?: components["schemas"]["NamedAccount"];
            debtor?: components["schemas"]["NamedParty"];
            debtor_account?: components["schemas"]["NamedAccount"];
            remittance_information?: string[];
        };
    };
    responses: {
        /** @description Refused, or the bank did not answer */
        Refusal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 408,
                 *       "error": "ASPSP_TIMEOUT",
                 *       "message": "Timeout interacting with ASPSP"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: {
        AccountId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Tenant screening",
                     *       "active": true,
                     *       "redirect_urls": [
                     *         "https://screening.example/verify/bank/callback"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        name: string;
                        active: boolean;
                        redirect_urls: string[];
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listBanks: {
        parameters: {
            query?: {
                country?: string;
                psu_type?: components["schemas"]["PsuType"];
                service?: "AIS" | "PIS";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The banks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "aspsps": [
                     *         {
                     *           "name": "Nordea",
                     *           "country": "FI",
                     *           "maximum_consent_validity": 15552000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        aspsps: components["schemas"]["ListedBank"][];
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    startAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizationRequest"];
            };
        };
        responses: {
            /** @description The address to send the person to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://tilisy.enablebanking.com/welcome?sessionid=73100c65-c54d-46a1-87d1-aa3effde435a",
                     *       "authorization_id": "73100c65-c54d-46a1-87d1-aa3effde435a"
                     *     }
                     */
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        /** Format: uuid */
                        authorization_id: string;
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    authorizeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description The session and its accounts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "4604429c-6a7a-4c1c-93f0-e4a8d8a8f0a1",
                     *       "accounts": [
                     *         {
                     *           "uid": "497f6eca-6276-4993-bfeb-53cbbbba6f08",
                     *           "account_id": {
                     *             "iban": "FI0455231152453547"
                     *           },
                     *           "name": "Anna Virtanen",
                     *           "product": "Current account",
                     *           "currency": "EUR",
                     *           "cash_account_type": "CACC"
                     *         }
                     *       ],
                     *       "access": {
                     *         "valid_until": "2030-12-01T12:00:00.000000+00:00"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        message?: string;
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getAccountDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account_id": {
                     *         "iban": "FI0455231152453547"
                     *       },
                     *       "name": "Anna Virtanen",
                     *       "details": "Everyday account",
                     *       "currency": "EUR",
                     *       "cash_account_type": "CACC"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getAccountBalances: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balances": [
                     *         {
                     *           "name": "Booked balance",
                     *           "balance_type": "CLBD",
                     *           "balance_amount": {
                     *             "amount": "1420.50",
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        balances: components["schemas"]["Balance"][];
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getAccountTransactions: {
        parameters: {
            query?: {
                date_from?: string;
                continuation_key?: string;
                transaction_status?: components["schemas"]["TransactionStatus"];
            };
            header?: never;
            path: {
                account_id: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movements */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactions": [
                     *         {
                     *           "transaction_amount": {
                     *             "amount": "2214.44",
                     *             "currency": "EUR"
                     *           },
                     *           "credit_debit_indicator": "CRDT",
                     *           "status": "BOOK",
                     *           "booking_date": "2026-10-28",
                     *           "debtor": {
                     *             "name": "Northern Ferries Oy"
                     *           },
                     *           "remittance_information": [
                     *             "Salary October"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        transactions: components["schemas"]["Transaction"][];
                        continuation_key?: string | null;
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
}

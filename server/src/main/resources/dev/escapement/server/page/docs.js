// The description is this server's own; no validator elsewhere is asked.
SwaggerUIBundle({ url: '/openapi.yaml', dom_id: '#api', validatorUrl: null, deepLinking: true });

// Shows the OpenAPI document of this server, without an external validator.
SwaggerUIBundle({ url: '/openapi.yaml', dom_id: '#api', validatorUrl: null, deepLinking: true });
